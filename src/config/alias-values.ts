/**
 * Reads values in the spelling of other loop runners. Values that are not understood stay unchanged, so that validation
 * reports them.
 */
import { readText } from './text-value.ts'

const unlimited = /^(?:unlimited|no limit|none)$/i

/** `$25` becomes 25; `unlimited` becomes null, which means no limit. */
export function budget(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return unlimited.test(value.trim()) ? null : value.trim().replace(/^\$\s*/, '')
}

export const count = (value: unknown): unknown =>
  typeof value === 'string' && unlimited.test(value.trim()) ? null : value

/** A single command becomes a list of one. */
export const commandList = (value: unknown): unknown =>
  value === '' ? undefined : typeof value === 'string' ? [value] : value

/** In the other tool zero means no limit; here it would mean no time at all. */
export const minutesOfMs = (value: unknown): unknown =>
  value === 0 ? null : typeof value === 'number' ? value / 60_000 : value

export const isYes = (value: unknown): boolean => readText({ kind: 'boolean' }, String(value)) === true

const unitMinutes: Readonly<Record<string, number>> = { h: 60, m: 1, s: 1 / 60, ms: 1 / 60_000 }

/** Converts a Go duration, `1h30m` or nanoseconds, to minutes. Zero counts as not set. */
export function duration(value: unknown): unknown {
  if (value === 0 || value === '') return undefined
  if (typeof value === 'number') return value >= 1e9 ? value / 6e10 : `${value}`
  if (typeof value !== 'string' || !/^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/.test(value)) return value
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)]
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMinutes[unit] ?? 0), 0)
}
