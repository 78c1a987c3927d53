/** Computes the consumption of one Codex turn from the totals of its session. */
import type { AgentConfig } from '../../model/config.ts'
import type { Usage } from '../../model/usage.ts'
import type { TurnWork } from '../../model/work.ts'
import { costOf, type Consumed } from '../prices.ts'

export interface Turn {
  agent: AgentConfig
  work: TurnWork
  /** The model in use, when neither the work nor the configuration names one. */
  model: string | null
  isPaidByMonth: boolean
}

export function usageOfTurn(total: Consumed, { agent, work, model, isPaidByMonth }: Turn): Usage {
  const costUsd = isPaidByMonth ? 0 : costOf(total, work.model ?? agent.model ?? model, agent)
  const spent = work.session?.spent
  // A total below the earlier consumption comes from a version that counts each turn separately.
  const isWhole = spent !== undefined && total.input >= spent.inputTokens && total.output >= spent.outputTokens
  if (!isWhole) return { inputTokens: total.input, outputTokens: total.output, costUsd }
  return {
    inputTokens: total.input - spent.inputTokens,
    outputTokens: total.output - spent.outputTokens,
    costUsd: Math.max(0, costUsd - spent.costUsd),
  }
}
