/** Prices of tokens where an agent does not report the cost: the user's prices, then public list prices. */
import type { AgentConfig, Price } from '../model/config.ts'
import { maxCostUsd } from './json.ts'

export interface Consumed {
  /** All input tokens, `cachedInput` included. */
  input: number
  cachedInput: number
  output: number
}

const gpt5: Price = { input: 1.25, cachedInput: 0.125, output: 10 }

/** Prices of input, output and cached input. */
const claude = ([input, output, cachedInput]: [number, number, number], ...names: string[]): Record<string, Price> =>
  Object.fromEntries(names.map((name) => [`claude-${name}`, { input, output, cachedInput }]))

const listPrices: Readonly<Record<string, Price>> = {
  ...claude([10, 50, 1], 'fable-5'),
  ...claude([10, 50, 0.25], 'fable-5-1'),
  ...claude([4, 20, 0.2], 'opus-5-5'),
  ...claude([5, 25, 0.5], 'opus-5', 'opus-4-8', 'opus-4-7', 'opus-4-6', 'opus-4-5'),
  ...claude([15, 75, 1.5], 'opus-4-1', 'opus-4'),
  ...claude([2, 10, 0.2], 'sonnet-5-5', 'sonnet-5'),
  ...claude([3, 15, 0.3], 'sonnet-4-6', 'sonnet-4-5', 'sonnet-4'),
  ...claude([1, 5, 0.1], 'haiku-4-5'),
  'gpt-5': gpt5,
  'gpt-5-codex': gpt5,
  'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'gemini-2.5-pro': { input: 1.25, output: 10 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
}

/**
 * A dated release costs the same as its model: `gpt-5-2025-08-07` as `gpt-5`, `claude-haiku-4-5-20251001` as
 * `claude-haiku-4-5`.
 */
const release = /-\d{4}(-?)\d{2}\1\d{2}$/

export function priceOf(model: string, { prices = {} }: AgentConfig): Price | null {
  const family = model.replace(release, '')
  for (const [table, name] of [
    [prices, model],
    [prices, family],
    [listPrices, family],
  ] as const) {
    if (Object.hasOwn(table, name)) return table[name] ?? null
  }
  return null
}

/** Cost in US dollars; 0 when the model's price is not known, or when a subscription pays for it. */
export function costOf({ input, cachedInput, output }: Consumed, model: string | null, agent: AgentConfig): number {
  const price = model === null || agent.billing === 'subscription' ? null : priceOf(model, agent)
  if (price === null) return 0
  const cached = Math.min(cachedInput, input)
  const perMillion =
    (input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output
  return Math.min(perMillion / 1e6, maxCostUsd)
}
