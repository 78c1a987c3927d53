/** Parses durations in options. */
import { LooperError } from '../../api/error.ts'

const hourMs = 3_600_000
const units: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs }

/** `30d`, `12h`, `2w`. Throws USAGE_ARGUMENTS, naming the option. */
export function span(flag: string, text: string): { ms: number; text: string } {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const ms = units[unit]
  if (ms === undefined)
    throw new LooperError('USAGE_ARGUMENTS', `${flag} takes hours, days or weeks like 12h, 30d or 2w, not '${text}'`)
  return { ms: Number(count) * ms, text }
}
