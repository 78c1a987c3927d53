/** Records for people that no decision depends on: decisions, findings, changes outside the workspaces. */
import type { Decision } from '../event.ts'
import type { OutsideChange } from '../outside.ts'
import type { Finding } from '../verdict.ts'

export interface RecordsSlice {
  decisions: Decision[]
  findings: (Finding & { origin: string })[]
  /** The first changes outside the workspaces; absent when there are none. */
  outside?: OutsideChange[]
}
