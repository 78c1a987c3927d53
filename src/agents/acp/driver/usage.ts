/** What agents tell of tokens and dollars, in the ways they have of telling it. */
import { countOf, dig, objectOf } from '../../json.ts'

export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** Of a whole turn, from the answer to its prompt; null when that does not tell. */
export function tokensOf(answer: Record<string, unknown>): Tokens | null {
  const usage = objectOf(answer.usage)
  if (usage !== null) return fromUsage(usage)
  const counts = objectOf(dig(answer, '_meta', 'quota', 'token_count'))
  return counts === null
    ? null
    : { inputTokens: countOf(counts.input_tokens), outputTokens: countOf(counts.output_tokens) }
}

/** Some count thoughts as output and some beside it: only the total tells which. */
function fromUsage(usage: Record<string, unknown>): Tokens {
  const inputTokens = countOf(usage.inputTokens) + countOf(usage.cachedReadTokens) + countOf(usage.cachedWriteTokens)
  const [said, thought, total] = [countOf(usage.outputTokens), countOf(usage.thoughtTokens), countOf(usage.totalTokens)]
  return { inputTokens, outputTokens: said + (inputTokens + said + thought <= total ? thought : 0) }
}

/** A session's cost so far in US dollars; null when that is not told, or in another currency. */
export function costOf(update: Record<string, unknown>): number | null {
  const amount = dig(update, 'cost', 'amount')
  return dig(update, 'cost', 'currency') === 'USD' && typeof amount === 'number' && amount >= 0 ? amount : null
}

/** Turns what a session has cost so far into what was added, from one telling to the next. */
export function createMeter(spentUsd: number): (soFarUsd: number) => number {
  let last = spentUsd
  return (soFar) => {
    // Less than before means that the agent counts from nought again.
    const added = soFar >= last ? soFar - last : soFar
    last = soFar
    return added
  }
}
