/** The judgment of the goal as a whole, and the number of goal iterations. */
import type { CheckRecord } from '../event.ts'
import type { Verdict } from '../verdict.ts'

export interface GateSlice {
  gate: { round: number; checks: CheckRecord[]; verdict: Verdict | null }
  goalIteration: number
}
