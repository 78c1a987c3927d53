/** What agents tell of tokens and dollars, in the ways they have of telling it. */
import { isObject } from '../../protocol/object-finder.ts'

export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** Of a whole turn, from the answer to its prompt; null when that does not tell. */
export function tokensOf(answer: Record<string, unknown>): Tokens | null {
  if (isObject(answer.usage)) return fromUsage(answer.usage)
  const quota = isObject(answer._meta) && isObject(answer._meta.quota) ? answer._meta.quota : {}
  const counts = quota.token_count
  return isObject(counts) ? { inputTokens: count(counts.input_tokens), outputTokens: count(counts.output_tokens) } : null
}

/** Some count thoughts as output and some beside it: only the total tells which. */
function fromUsage(usage: Record<string, unknown>): Tokens {
  const inputTokens = count(usage.inputTokens) + count(usage.cachedReadTokens) + count(usage.cachedWriteTokens)
  const [said, thought, total] = [count(usage.outputTokens), count(usage.thoughtTokens), count(usage.totalTokens)]
  return { inputTokens, outputTokens: said + (inputTokens + said + thought <= total ? thought : 0) }
}

/** A session's cost so far in US dollars; null when that is not told, or in another currency. */
export function costOf(update: Record<string, unknown>): number | null {
  const { cost } = update
  return isObject(cost) && cost.currency === 'USD' && typeof cost.amount === 'number' && cost.amount >= 0 ? cost.amount : null
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

const count = (value: unknown): number => typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
