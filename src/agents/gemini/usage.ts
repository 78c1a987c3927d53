/** Reads the usage that Gemini CLI reports. */
import type { AgentConfig } from '../../model/config.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { countOf, dig, objectOf } from '../json.ts'
import { costOf } from '../prices.ts'

/** Counts only this process, even when it resumed a session. */
export function usageOfStats(stats: unknown, model: string | null, agent: AgentConfig): Usage {
  const byModel = Object.entries(objectOf(dig(stats, 'models')) ?? {})
  const parts = byModel.length > 0 ? byModel : [[model, stats] as const]
  return parts.map(([name, counts]) => usageOfModel(counts, name, agent)).reduce(addUsage, noUsage)
}

/** Its output tokens exclude thought tokens, which are billed too: only the total includes them. */
function usageOfModel(counts: unknown, model: string | null, agent: AgentConfig): Usage {
  const input = countOf(dig(counts, 'input_tokens'))
  const output = Math.max(countOf(dig(counts, 'output_tokens')), countOf(dig(counts, 'total_tokens')) - input)
  return {
    inputTokens: input,
    outputTokens: output,
    costUsd: costOf({ input, cachedInput: countOf(dig(counts, 'cached')), output }, model, agent),
  }
}
