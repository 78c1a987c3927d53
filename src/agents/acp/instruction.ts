/** What a turn's driver is told: one variable of its environment, which it does not pass on to the agent. */
import type { PlanRequest } from '../adapter.ts'

export const instructionVariable = 'LOOPER_ACP'

export interface Instruction {
  /** Starts the agent: no shell. */
  argv: readonly [string, ...string[]]
  rights: PlanRequest['rights']
  /** Null leaves the choice to the agent. */
  model: string | null
  /** To go on with, and what it has cost so far: agents tell the cost of a session, not of a turn. */
  session: { id: string; spentUsd: number } | null
  /** Whether dollars mean anything: a subscription is not paid by the token. */
  countsCost: boolean
  mcp: PlanRequest['mcp']
}
