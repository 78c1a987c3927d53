/** One event as one line of the journal: JSON that closes with a checksum of everything before it. */
import { crc32 } from 'node:zlib'
import type { Event } from '../model/event.ts'
import { jsonText } from '../views/json-text.ts'
import { versionFields, type RawEvent } from './upcast.ts'

/** Far above any event, far below what a string can hold. */
export const maxLineBytes = 64 * 1024 * 1024

export const checksum = (bytes: string | Uint8Array, seed = 0): string =>
  crc32(bytes, seed).toString(16).padStart(8, '0')

export const trailer = (sum: string): string => `,"sum":"${sum}"}`
export const trailerLength = trailer('00000000').length

/** Without the line end. `seq`, `at` and `type` come first and `sum` last, whatever order the event has. */
export function encodeEvent(event: Event): string {
  const { seq, at, type, ...payload } = event
  const body = jsonText({ seq, at, type, ...payload, ...versionFields }).slice(0, -1)
  return body + trailer(checksum(body))
}

/** `torn` is what a write that was cut short leaves; `malformed` was written whole, so it is never that. */
export type Decoded = RawEvent | 'torn' | 'malformed'

const brace = 0x7d

/** The line as it was written: `createUpcaster` makes an event of it. */
export function decodeEvent(line: Buffer): Decoded {
  const end = line.length - trailerLength
  if (end < 0 || !hasTrailer(line, end, crc32(line.subarray(0, end)))) return 'torn'
  try {
    const value: unknown = JSON.parse(closedAt(line, end))
    return isFramed(value) ? value : 'malformed'
  } catch {
    return 'malformed'
  }
}

const frame = Buffer.from(trailer('00000000'))
const digitsAt = frame.indexOf('0')
const digits = Buffer.from('0123456789abcdef')

/** Byte by byte: a journal has many lines, and each opening of a run looks at all of them. */
function hasTrailer(line: Buffer, at: number, sum: number): boolean {
  for (let place = 0; place < frame.length; place++) {
    const nth = place - digitsAt
    const expected = nth >= 0 && nth < 8 ? digits[(sum >>> (28 - 4 * nth)) & 15] : frame[place]
    if (line[at + place] !== expected) return false
  }
  return true
}

/** The text up to there and a brace: put in place for a moment, because adding it to a long text would copy that. */
function closedAt(line: Buffer, end: number): string {
  const there = line[end] ?? 0
  line[end] = brace
  const text = line.toString('utf8', 0, end + 1)
  line[end] = there
  return text
}

/** Only the frame is checked: the rest was typed when it was written, and the checksum proves that it is unchanged. */
function isFramed(value: unknown): value is RawEvent {
  if (typeof value !== 'object' || value === null) return false
  const { seq, at, type } = value as Record<string, unknown>
  return Number.isSafeInteger(seq) && typeof at === 'string' && typeof type === 'string'
}
