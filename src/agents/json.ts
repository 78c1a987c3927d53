/** Reads values from an agent's untrusted JSON: nothing here throws, and every value is checked. */
import { isObject } from '../model/object.ts'

export { isObject }

/** A larger number is an error of the agent; the bound keeps sums exact. */
export const maxTokens = 1e12
export const maxCostUsd = 1e6

/** The value at this path of keys; undefined when the path does not exist. */
export const dig = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)

export const objectOf = (value: unknown): Record<string, unknown> | null => (isObject(value) ? value : null)

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Not `Number(…)`, which throws for some values. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns 0 for negative values and for anything that is not finite, because JSON can spell infinity (1e999). */
const amount = (value: unknown, most: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(value, most) : 0

/** A token count. */
export const countOf = (value: unknown): number => Math.round(amount(value, maxTokens))

export const dollarsOf = (value: unknown): number => amount(value, maxCostUsd)

/** A fraction from 0 to 1; null when the value is not one. */
export const shareOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? Math.min(value, 1) : null

/** The time in normal ISO form; null when the value is not a time. */
export function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const years = { first: Date.UTC(2020, 0), last: Date.UTC(2200, 0) }

/** ISO time of seconds since 1970; null when the value is not a plausible time. */
export function timeOfSeconds(value: unknown): string | null {
  const ms = typeof value === 'number' ? value * 1_000 : Number.NaN
  return ms > years.first && ms < years.last ? new Date(ms).toISOString() : null
}

/** Null when the text is not a JSON object. */
export function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(text ?? ''))
  } catch {
    return null
  }
}

/** Null when the line is not exactly one JSON object. */
export function parseLine(line: string): Record<string, unknown> | null {
  const text = line.trim()
  return text.startsWith('{') && text.endsWith('}') ? parseObject(text) : null
}
