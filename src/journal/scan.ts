/** Parses a journal's bytes in chunks of any size, and distinguishes a torn end from damage. */
import type { Event } from '../model/event.ts'
import type { JournalDamage, JournalPosition } from '../model/ports.ts'
import { decodeEvent, maxLineBytes } from './line.ts'
import { createUpcaster } from './upcast.ts'

export const start: JournalPosition = { seq: 0, offset: 0 }

export interface Scanner {
  /** Does nothing after damage was found. */
  push(chunk: Buffer): void
  /** Position after the last valid event. */
  readonly position: JournalPosition
  readonly damage: JournalDamage | null
}

const newline = 0x0a

/**
 * A last line that is incomplete or fails its checksum is a torn end; it becomes damage when anything follows it.
 * Events are upcast to the current version; `push` throws JOURNAL_VERSION for an event that this Looper does not know.
 */
export function createScanner(from: JournalPosition, onEvent: (event: Event) => void): Scanner {
  let { seq, offset } = from
  let damage: JournalDamage | null = null
  let torn = false
  const rest = createRest()
  const upcast = createUpcaster()
  const damaged = (why: string): void => {
    damage = { seq: seq + 1, offset, why }
  }

  const takeLine = (line: Buffer | null): void => {
    if (torn) return damaged('its checksum does not match')
    const decoded = line === null ? 'torn' : decodeEvent(line)
    if (decoded === 'torn' || line === null) torn = true
    else if (decoded === 'malformed') damaged('it is not an event')
    else if (decoded.seq !== seq + 1) damaged(`event ${decoded.seq} is in its place`)
    else {
      const event = upcast(decoded)
      seq += 1
      offset += line.length + 1
      onEvent(event)
    }
  }

  return {
    push(chunk) {
      let begin = 0
      while (damage === null && begin < chunk.length) {
        const end = chunk.indexOf(newline, begin)
        if (end === -1) {
          rest.add(chunk.subarray(begin))
          if (torn) takeLine(null)
          return
        }
        takeLine(rest.complete(chunk.subarray(begin, end)))
        begin = end + 1
      }
    },
    get position() {
      return { seq, offset }
    },
    get damage() {
      return damage
    },
  }
}

/** The beginning of a line whose end has not arrived. A line that is far too long is not stored, only marked as bad. */
function createRest(): { add(piece: Buffer): void; complete(piece: Buffer): Buffer | null } {
  let pieces: Buffer[] = []
  let size = 0
  return {
    add(piece) {
      size += piece.length
      if (size > maxLineBytes) pieces = []
      else pieces.push(Buffer.from(piece))
    },
    complete(piece) {
      const whole =
        size + piece.length > maxLineBytes ? null : pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])
      pieces = []
      size = 0
      return whole
    },
  }
}
