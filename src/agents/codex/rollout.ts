/** Reads what Codex writes only to its session file: exact limits, error codes, and the usage of failed turns. */
import type { Quota } from '../../model/work.ts'
import { countOf, dig, objectOf, parseObject, shareOf, textOf, timeOf, timeOfSeconds } from '../json.ts'
import type { Consumed } from '../prices.ts'

export interface Rollout {
  /** ISO time of the newest line; null when there is none. */
  at: string | null
  model: string | null
  /** Plan of a ChatGPT login, which is billed by the month; null without one. */
  plan: string | null
  /** Consumption of the whole session. */
  consumed: Consumed | null
  /** When all reached limits are reset. */
  resetsAt: string | null
  quotas: Quota[]
  error: { code: string; status: number | null } | null
}

const nothing: Rollout = { at: null, model: null, plan: null, consumed: null, resetsAt: null, quotas: [], error: null }

/**
 * Reads the end of the file, whose first line may be cut off. Errors and limits before `since` belong to an earlier
 * turn.
 */
export function digestRollout(text: string, since: string): Rollout {
  const whole = text.split('\n').reduce(readLine, nothing)
  const isOld = whole.at === null || Date.parse(whole.at) < Date.parse(since)
  return isOld ? { ...whole, at: null, resetsAt: null, error: null } : whole
}

function readLine(rollout: Rollout, line: string): Rollout {
  const entry = parseObject(line)
  const at = timeOf(entry?.['timestamp'])
  if (entry === null || at === null) return rollout
  const payload = objectOf(entry['payload']) ?? {}
  const known = { ...rollout, at }
  if (entry['type'] === 'turn_context') return { ...known, model: textOf(payload['model']) ?? rollout.model }
  if (entry['type'] !== 'event_msg') return known
  switch (payload['type']) {
    case 'task_started':
      return { ...known, error: null, resetsAt: null }
    case 'token_count':
      return { ...known, ...readCounts(payload, rollout) }
    case 'task_complete':
      return { ...known, error: readError(dig(payload, 'error', 'codex_error_info')) }
    default:
      return known
  }
}

function readCounts(payload: Record<string, unknown>, { consumed, plan }: Rollout): Partial<Rollout> {
  const total = dig(payload, 'info', 'total_token_usage')
  const limits = payload['rate_limits']
  const quotas = ['primary', 'secondary'].flatMap((name) => readWindow(name, dig(limits, name)))
  const resets = quotas.flatMap(({ used, resetsAt }) => (used === 1 && resetsAt !== null ? [resetsAt] : []))
  return {
    consumed: total === undefined ? consumed : consumedOf(total),
    quotas,
    plan: textOf(dig(limits, 'plan_type')) ?? plan,
    resetsAt: resets.toSorted().at(-1) ?? null,
  }
}

const windows: Readonly<Record<number, string>> = { 300: 'five_hour', 10_080: 'seven_day' }

function readWindow(name: string, window: unknown): Quota[] {
  const used = dig(window, 'used_percent')
  if (typeof used !== 'number') return []
  const resetsAt = timeOfSeconds(dig(window, 'resets_at'))
  return [{ name: windows[countOf(dig(window, 'window_minutes'))] ?? name, used: shareOf(used / 100), resetsAt }]
}

/** The error is a code, or an object of a code and the HTTP status that caused it. */
function readError(info: unknown): Rollout['error'] {
  const [code, detail] =
    typeof info === 'string' ? [info, null] : (Object.entries(objectOf(info) ?? {})[0] ?? [null, null])
  const status = dig(detail, 'http_status_code')
  return code === null ? null : { code, status: typeof status === 'number' ? status : null }
}

/** Codex uses the same fields in its events: `input_tokens` counts all input. */
export const consumedOf = (usage: unknown): Consumed => ({
  input: countOf(dig(usage, 'input_tokens')),
  cachedInput: countOf(dig(usage, 'cached_input_tokens')),
  output: countOf(dig(usage, 'output_tokens')),
})
