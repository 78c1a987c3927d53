/** What tokens cost where an agent does not tell: the user's prices, then public list prices. */
import type { AgentConfig, Price } from '../model/config.ts'
import { maxCostUsd } from './protocol/events.ts'

export interface Consumed {
  /** All of it, `cachedInput` included. */
  input: number
  cachedInput: number
  output: number
}

const gpt5: Price = { input: 1.25, cachedInput: 0.125, output: 10 }

const listPrices: Readonly<Record<string, Price>> = {
  'gpt-5': gpt5,
  'gpt-5-codex': gpt5,
  'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
  'gemini-2.5-pro': { input: 1.25, output: 10 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
}

/** `gpt-5-2025-08-07` costs what `gpt-5` costs. */
const release = /-\d{4}-\d{2}-\d{2}$/

export function priceOf(model: string, { prices = {} }: AgentConfig): Price | null {
  const family = model.replace(release, '')
  for (const [table, name] of [[prices, model], [prices, family], [listPrices, family]] as const) {
    if (Object.hasOwn(table, name)) return table[name] ?? null
  }
  return null
}

/** In US dollars; 0 when nobody knows the model's price, or when it is paid by subscription. */
export function costOf({ input, cachedInput, output }: Consumed, model: string | null, agent: AgentConfig): number {
  const price = model === null || agent.billing === 'subscription' ? null : priceOf(model, agent)
  if (price === null) return 0
  const cached = Math.min(cachedInput, input)
  const perMillion = (input - cached) * price.input + cached * (price.cachedInput ?? price.input) + output * price.output
  return Math.min(perMillion / 1e6, maxCostUsd)
}
