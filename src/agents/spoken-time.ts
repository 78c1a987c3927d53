/**
 * Reads when a limit resets from a sentence: "resets 3pm (Europe/Berlin)", "try again at Nov 17th, 2026 1:20 AM", "try
 * again in 1h 5m". Pure: the caller gives the moment and the time zone of the sentence.
 */

export interface Moment {
  /** The latest ISO time known to be before the sentence. The reset time is later than this. */
  after: string
  /** When the sentence was printed, the start of relative spans; null when unknown. */
  said: string | null
  /** Time zone of a clock time whose zone the sentence does not name. */
  zone: string
}

const minute = 60_000
const day = 24 * 60 * minute
/** No limit lasts longer than this, so a later time is not a reset time. */
const furthest = 400 * day
const maxChars = 4_000
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::\d{2})?\s*(?<half>[ap])\.?m\b\.?`
const month = String.raw`(?<month>${months.join('|')})[a-z]*\.?`
const date = String.raw`${month}\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(?<year>\d{4}),?)?`
const zoneName = String.raw`(?:\s*\((?<zone>[\w/+-]+)\))?`
const spoken = new RegExp(
  String.raw`\b(?:resets?|again|available|until)(?:\s+at)?\s+(?:${date}\s+(?:at\s+)?)?${clock}${zoneName}`,
  'i',
)
const epoch = /limit reached\|(\d{10})\b/
const relative = /\b(?:again|reset|resets|retry) (?:in|after) ((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and )?)+)/i
const unit = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi
const units: readonly [RegExp, number][] = [
  [/^ms$|^milli/i, 1],
  [/^s(?:ec|$)/i, 1_000],
  [/^m(?:in|$)/i, minute],
  [/^h(?:our|rs?|$)/i, 60 * minute],
  [/^d(?:ay|$)/i, day],
]

/** ISO time; null when the text contains none. */
export function spokenTime(text: string, moment: Moment): string | null {
  const after = Date.parse(moment.after)
  if (Number.isNaN(after)) return null
  const words = text.slice(0, maxChars)
  const time =
    fromEpoch(words) ?? fromClock(words, after, moment.zone) ?? fromSpan(words, Date.parse(moment.said ?? ''))
  return time === null || time <= after || time > after + furthest ? null : new Date(time).toISOString()
}

const fromEpoch = (text: string): number | null => {
  const seconds = epoch.exec(text)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}

/**
 * A clock time without seconds is the start of a minute; the limit is certainly reset only at the end of that minute.
 */
function fromClock(text: string, after: number, zone: string): number | null {
  const said = spoken.exec(text)?.groups
  if (said === undefined) return null
  const [hour, minutes] = [Number(said['hour']), Number(said['minute'] ?? 0)]
  if (hour < 1 || hour > 12 || minutes > 59 || Number(said['day'] ?? 1) > 31) return null
  const offsetAt = zoneOffset(said['zone']) ?? zoneOffset(zone)
  if (offsetAt === null) return null
  const time = ((hour % 12) + (/p/i.test(said['half'] ?? '') ? 12 : 0)) * 60 * minute + minutes * minute
  const ends = (midnight: number): number => toInstant(midnight + time, offsetAt) + minute
  const local = new Date(after + offsetAt(after))
  const [year, month] = [local.getUTCFullYear(), months.indexOf((said['month'] ?? '').toLowerCase())]
  const years = said['year'] === undefined ? [year, year + 1] : [Number(said['year'])]
  const midnights =
    month < 0
      ? [0, 1].map((days) => Date.UTC(year, local.getUTCMonth(), local.getUTCDate() + days))
      : years.map((year) => Date.UTC(year, month, Number(said['day'])))
  return midnights.map(ends).find((candidate) => candidate > after) ?? null
}

function fromSpan(text: string, said: number): number | null {
  const parts = [...(relative.exec(text)?.[1] ?? '').matchAll(unit)]
  const spans = parts.flatMap(([, count, name = '']) => {
    const size = units.find(([pattern]) => pattern.test(name))?.[1]
    return size === undefined ? [] : [Number(count) * size]
  })
  return spans.length === 0 || Number.isNaN(said) ? null : said + Math.ceil(spans.reduce((sum, span) => sum + span, 0))
}

/** Milliseconds by which the zone is ahead of UTC at an instant; null for an unknown zone. */
function zoneOffset(zone: string | undefined): ((instant: number) => number) | null {
  if (zone === undefined) return null
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return (instant) => {
      const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
      const local = Date.UTC(
        parts['year'] ?? 0,
        (parts['month'] ?? 1) - 1,
        parts['day'],
        parts['hour'],
        parts['minute'],
        parts['second'],
      )
      return local - Math.floor(instant / 1_000) * 1_000
    }
  } catch {
    return null
  }
}

/** The instant at which clocks show `local`; the later one when they show it twice. */
function toInstant(local: number, offsetAt: (instant: number) => number): number {
  const offsets = [offsetAt(local - day), offsetAt(local + day)]
  const instants = offsets.map((offset) => local - offset).filter((instant) => instant + offsetAt(instant) === local)
  return instants.length > 0 ? Math.max(...instants) : local - Math.min(...offsets)
}
