/** What OpenCode says a step has consumed. */
import type { AgentConfig } from '../../model/config.ts'
import type { Usage } from '../../model/usage.ts'
import { countOf, dig, dollarsOf } from '../json.ts'
import { costOf } from '../prices.ts'

/** Its input is without what came from the cache or went there, its output without what was thought. */
export function usageOfStep(part: unknown, model: string | null, agent: AgentConfig): Usage {
  const count = (...path: string[]): number => countOf(dig(part, 'tokens', ...path))
  const cachedInput = count('cache', 'read')
  const input = count('input') + cachedInput + count('cache', 'write')
  const output = count('output') + count('reasoning')
  const told = agent.billing === 'subscription' ? 0 : dollarsOf(dig(part, 'cost'))
  // Of a model that nobody told it the price of, it says that it costs nothing.
  return {
    inputTokens: input,
    outputTokens: output,
    costUsd: told || costOf({ input, cachedInput, output }, model, agent),
  }
}
