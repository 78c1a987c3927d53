/** Encodes one event as one line of the journal: JSON that ends with a checksum of everything before it. */
import { crc32 } from 'node:zlib'
import type { Event } from '../model/event.ts'
import { jsonText } from '../views/text/json-text.ts'
import { versionFields, type RawEvent } from './upcast.ts'

/** Far larger than any event, far smaller than the longest string. */
export const maxLineBytes = 64 * 1024 * 1024

export const checksum = (bytes: string | Uint8Array, seed = 0): string =>
  crc32(bytes, seed).toString(16).padStart(8, '0')

export const trailer = (sum: string): string => `,"sum":"${sum}"}`
export const trailerLength = trailer('00000000').length

/** Without the line break. `seq`, `at` and `type` come first and `sum` last, whatever the key order of the event. */
export function encodeEvent(event: Event): string {
  const { seq, at, type, ...payload } = event
  const body = jsonText({ seq, at, type, ...payload, ...versionFields }).slice(0, -1)
  return body + trailer(checksum(body))
}

/** `torn`: the line of an interrupted write. `malformed`: the line was written completely, so it is not torn. */
export type Decoded = RawEvent | 'torn' | 'malformed'

const brace = 0x7d

/** Returns the line as it was written; `createUpcaster` turns it into an event. */
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

/** Compares byte by byte, because each opening of a run checks every line of its journal. */
function hasTrailer(line: Buffer, at: number, sum: number): boolean {
  for (let position = 0; position < frame.length; position++) {
    const nth = position - digitsAt
    const expected = nth >= 0 && nth < 8 ? digits[(sum >>> (28 - 4 * nth)) & 15] : frame[position]
    if (line[at + position] !== expected) return false
  }
  return true
}

/**
 * The text before `end` plus a closing brace. The brace is written into the buffer temporarily, because appending to a
 * long string would copy it.
 */
function closedAt(line: Buffer, end: number): string {
  const there = line[end] ?? 0
  line[end] = brace
  const text = line.toString('utf8', 0, end + 1)
  line[end] = there
  return text
}

/**
 * Checks only the common fields: the rest was typed when it was written, and the checksum proves that it is unchanged.
 */
function isFramed(value: unknown): value is RawEvent {
  if (typeof value !== 'object' || value === null) return false
  const { seq, at, type } = value as Record<string, unknown>
  return Number.isSafeInteger(seq) && typeof at === 'string' && typeof type === 'string'
}
