/** Records for people that nothing is decided by: decisions, findings, changes outside the workspaces. */
import type { Decision } from '../event.ts'
import type { OutsideChange } from '../outside.ts'
import type { Finding } from '../verdict.ts'

export interface RecordsSlice {
  decisions: Decision[]
  findings: (Finding & { origin: string })[]
  /** Changes outside the workspaces, the first of them; absent while there is none. */
  outside?: OutsideChange[]
}
