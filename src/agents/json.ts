/** Takes values out of an agent's JSON whatever it looks like: nothing here throws, and nothing is believed. */
import { isObject } from '../model/object.ts'

export { isObject }

/** Above these a number is a mistake of the agent's; kept in bounds so that sums stay exact. */
export const maxTokens = 1e12
export const maxCostUsd = 1e6

/** What is at the end of this path of keys; undefined when there is no such path. */
export const dig = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)

export const objectOf = (value: unknown): Record<string, unknown> | null => (isObject(value) ? value : null)

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Not `Number(…)`, which throws for what cannot be turned into one. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Nothing negative, nothing that is not a number; JSON can spell infinity (1e999), so that is not one either. */
const amount = (value: unknown, most: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(value, most) : 0

/** A number of tokens. */
export const countOf = (value: unknown): number => Math.round(amount(value, maxTokens))

export const dollarsOf = (value: unknown): number => amount(value, maxCostUsd)

/** A share of a whole, 0 to 1; null when the value is none. */
export const shareOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? Math.min(value, 1) : null

/** An ISO time as it should be spelled; null when the value is none. */
export function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const years = { first: Date.UTC(2020, 0), last: Date.UTC(2200, 0) }

/** ISO time of seconds since 1970; null when that is not a time of our days. */
export function timeOfSeconds(value: unknown): string | null {
  const ms = typeof value === 'number' ? value * 1_000 : Number.NaN
  return ms > years.first && ms < years.last ? new Date(ms).toISOString() : null
}

/** Null when the text is no JSON object. */
export function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** Null when the line is no JSON object at all. */
export function parseLine(line: string): Record<string, unknown> | null {
  const text = line.trim()
  return text.startsWith('{') && text.endsWith('}') ? parseObject(text) : null
}
