/** The instruction for a turn's driver: one environment variable, which the driver does not pass to the agent. */
import type { PlanRequest } from '../adapter.ts'

export const instructionVariable = 'LOOPER_ACP'

export interface Instruction {
  /** Command line of the agent, started without a shell. */
  argv: readonly [string, ...string[]]
  rights: PlanRequest['rights']
  /** Null leaves the choice to the agent. */
  model: string | null
  /** The session to resume and its cost so far: agents report the cost of a session, not of a turn. */
  session: { id: string; spentUsd: number } | null
  /** Whether the cost in dollars is meaningful: a subscription is not billed by the token. */
  countsCost: boolean
  mcp: PlanRequest['mcp']
}
