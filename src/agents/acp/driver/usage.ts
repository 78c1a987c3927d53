/** Reads the tokens and cost that ACP agents report, in each of their formats. */
import { countOf, dig, objectOf } from '../../json.ts'

export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** The tokens of a whole turn, from the response to its prompt; null when the response has none. */
export function tokensOf(answer: Record<string, unknown>): Tokens | null {
  const usage = objectOf(answer.usage)
  if (usage !== null) return fromUsage(usage)
  const counts = objectOf(dig(answer, '_meta', 'quota', 'token_count'))
  return counts === null
    ? null
    : { inputTokens: countOf(counts.input_tokens), outputTokens: countOf(counts.output_tokens) }
}

/** Some agents include thought tokens in the output and some do not: only the total shows which. */
function fromUsage(usage: Record<string, unknown>): Tokens {
  const inputTokens = countOf(usage.inputTokens) + countOf(usage.cachedReadTokens) + countOf(usage.cachedWriteTokens)
  const [said, thought, total] = [countOf(usage.outputTokens), countOf(usage.thoughtTokens), countOf(usage.totalTokens)]
  return { inputTokens, outputTokens: said + (inputTokens + said + thought <= total ? thought : 0) }
}

/** Total cost of the session in US dollars; null when it is missing or in another currency. */
export function costOf(update: Record<string, unknown>): number | null {
  const amount = dig(update, 'cost', 'amount')
  return dig(update, 'cost', 'currency') === 'USD' && typeof amount === 'number' && amount >= 0 ? amount : null
}

/** Turns the running total of a session's cost into the difference from the previous total. */
export function createMeter(spentUsd: number): (soFarUsd: number) => number {
  let last = spentUsd
  return (soFar) => {
    // A smaller total means that the agent restarted its count at zero.
    const added = soFar >= last ? soFar - last : soFar
    last = soFar
    return added
  }
}
