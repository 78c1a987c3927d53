/** What a turn of Codex consumed, from what its whole session has. */
import type { AgentConfig } from '../../model/config.ts'
import type { Usage } from '../../model/usage.ts'
import type { TurnWork } from '../../model/work.ts'
import { costOf, type Consumed } from '../prices.ts'

export interface Turn {
  agent: AgentConfig
  work: TurnWork
  /** The one that was used, where neither the work nor the configuration names one. */
  model: string | null
  isPaidByMonth: boolean
}

export function usageOfTurn(total: Consumed, { agent, work, model, isPaidByMonth }: Turn): Usage {
  const costUsd = isPaidByMonth ? 0 : costOf(total, work.model ?? agent.model ?? model, agent)
  const spent = work.session?.spent
  // A version that counts each turn by itself shows less than was spent before.
  const isWhole = spent !== undefined && total.input >= spent.inputTokens && total.output >= spent.outputTokens
  if (!isWhole) return { inputTokens: total.input, outputTokens: total.output, costUsd }
  return {
    inputTokens: total.input - spent.inputTokens,
    outputTokens: total.output - spent.outputTokens,
    costUsd: Math.max(0, costUsd - spent.costUsd),
  }
}
