/** Reads the usage that OpenCode reports for a step. */
import type { AgentConfig } from '../../model/config.ts'
import type { Usage } from '../../model/usage.ts'
import { countOf, dig, dollarsOf } from '../json.ts'
import { costOf } from '../prices.ts'

/** OpenCode's input excludes cache reads and writes, and its output excludes thought tokens. */
export function usageOfStep(part: unknown, model: string | null, agent: AgentConfig): Usage {
  const count = (...path: string[]): number => countOf(dig(part, 'tokens', ...path))
  const cachedInput = count('cache', 'read')
  const input = count('input') + cachedInput + count('cache', 'write')
  const output = count('output') + count('reasoning')
  const reported = agent.billing === 'subscription' ? 0 : dollarsOf(dig(part, 'cost'))
  // OpenCode reports a cost of 0 for a model whose price it does not know.
  return {
    inputTokens: input,
    outputTokens: output,
    costUsd: reported || costOf({ input, cachedInput, output }, model, agent),
  }
}
