/** Reads the usage that Claude Code reports. */
import type { AgentConfig } from '../../model/config.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { countOf, dig, dollarsOf, isObject, objectOf, textOf } from '../json.ts'
import { costOf } from '../prices.ts'

/** The usage known when a message begins: nearly all of the input, hardly any of the output. */
export function usageOfMessage(message: unknown, agent: AgentConfig): Usage {
  const tokens = tokensOf(dig(message, 'usage'))
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    costUsd: costOf(tokens, textOf(dig(message, 'model')), agent),
  }
}

/**
 * Usage since the previous result; background work that wakes the agent leads to another result. `total_cost_usd` and
 * `modelUsage` count the whole session, so they cannot be used for a turn.
 */
export function usageOfResult(result: Record<string, unknown>): Usage {
  const byModel = objectOf(result['model_usage_since_last_result'])
  if (byModel !== null) return Object.values(byModel).filter(isObject).map(usageOfModel).reduce(addUsage, noUsage)
  const { input, output } = tokensOf(result['usage'])
  return { inputTokens: input, outputTokens: output, costUsd: dollarsOf(result['total_cost_usd']) }
}

const usageOfModel = (model: Record<string, unknown>): Usage => ({
  inputTokens:
    countOf(model['inputTokens']) + countOf(model['cacheReadInputTokens']) + countOf(model['cacheCreationInputTokens']),
  outputTokens: countOf(model['outputTokens']),
  costUsd: dollarsOf(model['costUSD']),
})

function tokensOf(usage: unknown) {
  const cachedInput = countOf(dig(usage, 'cache_read_input_tokens'))
  return {
    input: countOf(dig(usage, 'input_tokens')) + countOf(dig(usage, 'cache_creation_input_tokens')) + cachedInput,
    cachedInput,
    output: countOf(dig(usage, 'output_tokens')),
  }
}
