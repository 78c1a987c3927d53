/** Usage, turns and quotas: what limits are measured by. */
import type { Usage } from '../usage.ts'
import type { Quota } from '../work.ts'

export interface BudgetSlice {
  turns: number
  usage: Usage
  /** Usage of turns under way, by work id, and the dearest turn so far: what a new turn is reckoned to cost. */
  spending: Record<string, Usage>
  dearest: Usage
  waitedMs: number
  /** What turns had written to the disk when that was last above the limit; absent while it never was. */
  diskBytes?: number
  /** Until when each agent and model is out of quota, as far as it was told. */
  quotas: Record<string, string>
  /** What each agent last told of its quotas. */
  allowances: Record<string, Quota[]>
}
