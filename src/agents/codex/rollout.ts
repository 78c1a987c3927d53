/**
 * What Codex writes into the file of a session and does not print: exact limits, codes of errors, usage of turns that
 * failed.
 */
import type { Quota } from '../../model/work.ts'
import { countOf, dig, objectOf, parseObject, shareOf, textOf, timeOf, timeOfSeconds } from '../json.ts'
import type { Consumed } from '../prices.ts'

export interface Rollout {
  /** ISO time of the newest line; null when there is none. */
  at: string | null
  model: string | null
  /** Of a ChatGPT login: paid by the month, not by the token. */
  plan: string | null
  /** Of the whole session. */
  consumed: Consumed | null
  /** When all limits that were reached are lifted. */
  resetsAt: string | null
  quotas: Quota[]
  error: { code: string; status: number | null } | null
}

const nothing: Rollout = { at: null, model: null, plan: null, consumed: null, resetsAt: null, quotas: [], error: null }

/** Reads the end of the file, whose first line may be cut. What ended before `since` is of an earlier turn. */
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

/** A word, or a word with the status that led to it. */
function readError(info: unknown): Rollout['error'] {
  const [code, detail] =
    typeof info === 'string' ? [info, null] : (Object.entries(objectOf(info) ?? {})[0] ?? [null, null])
  const status = dig(detail, 'http_status_code')
  return code === null ? null : { code, status: typeof status === 'number' ? status : null }
}

/** In its words, which are those of its events too: `input_tokens` counts all input. */
export const consumedOf = (usage: unknown): Consumed => ({
  input: countOf(dig(usage, 'input_tokens')),
  cachedInput: countOf(dig(usage, 'cached_input_tokens')),
  output: countOf(dig(usage, 'output_tokens')),
})
