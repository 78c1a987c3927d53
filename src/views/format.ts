/** Formats money, time and counts for people. Never reads the clock: times come from the journal. */
import type { Usage } from '../model/usage.ts'

/** "2026-03-01 14:05 UTC" */
export const clock = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : '?'

/** "0.4 s", "41 s", "2m 05s", "1h 04m" */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '?'
  const tenths = Math.max(0, Math.round(ms / 100))
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(tenths / 10)
  if (seconds < 60) return `${seconds} s`
  const two = (n: number): string => String(n).padStart(2, '0')
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
}

/** "41s", "5m", "3h", "12d": the time since, in one unit. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`
}

/** "$0.12"; a tiny cost is shown as "<$0.01", not as nothing. */
export const money = (usd: number): string => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`)

/** "950", "12.3k", "1.2M" */
export function count(n: number): string {
  if (n < 1_000) return String(n)
  return n < 999_950 ? `${(n / 1_000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(1)}M`
}

/** "once", "twice", "3 times" */
export const times = (n: number): string => ['never', 'once', 'twice'][n] ?? `${n} times`

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** The cost as precisely as the agents reported it; empty when they reported none. */
export function spent(usage: Usage): string {
  if (usage.costUsd > 0) return money(usage.costUsd)
  const tokens = usage.inputTokens + usage.outputTokens
  return tokens > 0 ? `${count(tokens)} tokens` : ''
}
