/** Usage, turns and quotas: the values that limits apply to. */
import type { Usage } from '../usage.ts'
import type { Quota } from '../work.ts'

export interface BudgetSlice {
  turns: number
  usage: Usage
  /** Usage of running turns by work id, and the most expensive turn so far, which estimates the cost of a new one. */
  spending: Record<string, Usage>
  dearest: Usage
  waitedMs: number
  /** Bytes that turns had written to the disk when they last exceeded the limit; absent if they never did. */
  diskBytes?: number
  /** By agent and model: until when its quota is exhausted, if reported. */
  quotas: Record<string, string>
  /** The last quotas that each agent reported. */
  allowances: Record<string, Quota[]>
}
