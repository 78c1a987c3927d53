/** Formats money, time and counts for people. Never reads the clock: times come from the journal. */
import type { Usage } from '../../model/usage.ts'

/** How many minutes the clocks of a place are ahead of UTC at an ISO time. */
export type Zone = (iso: string) => number
export const utc: Zone = () => 0

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/

/** "2026-03-01 14:05 UTC", "2026-03-01 15:05 +01:00" */
export function clock(iso: string, zone: Zone = utc): string {
  if (!isoTime.test(iso)) return '?'
  const there = shifted(iso, zone)
  return `${there.slice(0, 10)} ${there.slice(11, 16)} ${zoneName(zone(iso))}`
}

/** "14:05:09 UTC", "15:05:09 +01:00" */
export const timeOfDay = (iso: string, zone: Zone): string =>
  isoTime.test(iso) ? `${shifted(iso, zone).slice(11, 19)} ${zoneName(zone(iso))}` : '?'

function shifted(iso: string, zone: Zone): string {
  const minutes = zone(iso)
  return minutes === 0 ? iso : new Date(Date.parse(iso) + minutes * 60_000).toISOString()
}

function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const two = (n: number): string => String(n).padStart(2, '0')
  const ahead = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
}

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
