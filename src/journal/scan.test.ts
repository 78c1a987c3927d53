import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { eventVersion, type Event } from '../model/event.ts'
import type { JournalDamage, JournalPosition } from '../model/ports.ts'
import { checksum, decodeEvent, encodeEvent, maxLineBytes, trailer } from './line.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import { createScanner, start } from './scan.ts'

interface Scanned {
  events: Event[]
  position: JournalPosition
  damage: JournalDamage | null
}

function scan(bytes: Buffer, chunkBytes = bytes.length, from: JournalPosition = start): Scanned {
  const events: Event[] = []
  const scanner = createScanner(from, (event) => events.push(event))
  for (let at = 0; at < bytes.length; at += chunkBytes) scanner.push(bytes.subarray(at, at + chunkBytes))
  return { events, position: scanner.position, damage: scanner.damage }
}

/** Any JSON as the payload of an event, including strings that break line formats. */
const payload = fc
  .dictionary(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('sum', '__proto__', '')),
    fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom('\u2028\u2029', '\n', '\r\n', '\0', '\ud800', '"}\n{"seq":1'),
    ),
  )
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>)

const journal = fc
  .array(payload, { minLength: 1, maxLength: 8 })
  .map((payloads) => payloads.map((fields, index) => ({ ...fields, ...sampleEvent(index + 1) })))

const lineEnds = (bytes: Buffer): number[] =>
  [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index)

describe('a line', () => {
  test('is JSON with seq, at and type first and the checksum last', () => {
    const { seq, at, type, ...rest } = sampleEvent(7)
    const line = encodeEvent({ ...rest, type, at, seq } as Event)
    expect(Object.keys(JSON.parse(line))).toEqual(['seq', 'at', 'type', 'question', 'answer', 'by', 'version', 'sum'])
    expect(decodeEvent(Buffer.from(line))).toEqual({ ...sampleEvent(7), version: eventVersion })
  })

  test('has a checksum that other programs can compute', () => {
    const line = encodeEvent(sampleEvent(1))
    expect(checksum('123456789')).toBe('cbf43926')
    expect(line.endsWith(`,"sum":"${checksum(line.slice(0, -18))}"}`)).toBe(true)
  })

  test.each([
    ['not JSON', '{"seq":1,"at":'],
    ['not an object', '[1'],
    ['without a number', '{"at":"x","type":"y"'],
    ['with a fraction for a number', '{"seq":1.5,"at":"x","type":"y"'],
    ['without a type', '{"seq":1,"at":"x"'],
  ])('that is whole but %s is malformed', (_, body) => {
    expect(decodeEvent(Buffer.from(body + trailer(checksum(body))))).toBe('malformed')
  })

  test.each(['', '{', '{"seq":1}', '\0\0\0\0', ',"sum":"00000000"', '\xff\xfe'])(
    'that was cut or is garbage (%j) is torn',
    (text) => {
      expect(decodeEvent(Buffer.from(text, 'latin1'))).toBe('torn')
    },
  )
})

describe('scanning', () => {
  test('gives back what was written, for any JSON and in pieces of any size', () => {
    fc.assert(
      fc.property(journal, fc.integer({ min: 1, max: 200 }), (events, chunkBytes) => {
        const bytes = sampleBytes(events)
        const found = scan(bytes, chunkBytes)
        expect(found.damage).toBeNull()
        expect(found.events).toEqual(events)
        expect(found.position).toEqual({ seq: events.length, offset: bytes.length })
      }),
    )
  })

  test('any beginning of a journal is the beginning of its events', () => {
    fc.assert(
      fc.property(journal, fc.nat(), fc.integer({ min: 1, max: 200 }), (events, at, chunkBytes) => {
        const bytes = sampleBytes(events)
        const cut = bytes.subarray(0, at % (bytes.length + 1))
        const whole = lineEnds(cut)
        const found = scan(cut, chunkBytes)
        expect(found.damage).toBeNull()
        expect(found.events).toEqual(events.slice(0, whole.length))
        expect(found.position).toEqual({ seq: whole.length, offset: (whole.at(-1) ?? -1) + 1 })
      }),
    )
  })

  test('any changed byte is found, and never changes an event', () => {
    const [masks, chunks] = [fc.integer({ min: 1, max: 255 }), fc.integer({ min: 1, max: 200 })]
    fc.assert(
      fc.property(journal, fc.nat(), masks, chunks, (events, at, mask, chunkBytes) => {
        const bytes = sampleBytes(events)
        const index = at % bytes.length
        bytes[index]! ^= mask
        const ends = lineEnds(sampleBytes(events))
        const line = ends.findIndex((end) => index <= end)
        const found = scan(bytes, chunkBytes)
        expect(found.events).toEqual(events.slice(0, line))
        expect(found.position.seq).toBe(line)
        const joinsTheLastTwo = index === ends.at(-2)
        if (line < events.length - 1 && !joinsTheLastTwo)
          expect(found.damage).toMatchObject({ seq: line + 1, offset: found.position.offset })
      }),
      { numRuns: tries(500) },
    )
  })

  test.each<[string, Event[], number, string]>([
    ['a gap', [sampleEvent(1), sampleEvent(3)], 2, 'event 3 is in its place'],
    ['a repetition', [sampleEvent(1), sampleEvent(2), sampleEvent(2)], 3, 'event 2 is in its place'],
    ['a beginning that is not the first', [sampleEvent(2)], 1, 'event 2 is in its place'],
  ])('%s is damage, also at the end', (_, events, seq, why) => {
    expect(scan(sampleBytes(events)).damage).toMatchObject({ seq, why })
  })

  test('a bad last line is torn, with and without its end; anything after it makes it damage', () => {
    const good = sampleBytes(sampleEvents(1, 2))
    for (const bad of ['garbage', 'garbage\n', '\n', '\0'.repeat(5000)]) {
      const bytes = Buffer.concat([good, Buffer.from(bad)])
      expect(scan(bytes)).toMatchObject({ damage: null, position: { seq: 2, offset: good.length } })
    }
    for (const bad of ['garbage\nx', 'garbage\n\n', '\n\n', 'x\n' + encodeEvent(sampleEvent(3)) + '\n']) {
      for (const chunkBytes of [1, 1000]) {
        expect(scan(Buffer.concat([good, Buffer.from(bad)]), chunkBytes).damage).toMatchObject({
          seq: 3,
          offset: good.length,
        })
      }
    }
  })

  test('a line without end does not fill the memory and is torn, or damage when it ends after all', () => {
    const piece = Buffer.alloc(8 * 1024 * 1024)
    const scanner = createScanner(start, () => {})
    for (let i = 0; i <= maxLineBytes / piece.length; i++) scanner.push(piece)
    expect(scanner.damage).toBeNull()
    scanner.push(Buffer.from('\n'))
    expect(scanner.damage).toBeNull()
    scanner.push(Buffer.from('x'))
    expect(scanner.damage).toMatchObject({ seq: 1, offset: 0 })
  })

  test('goes on from a position', () => {
    const offset = sampleBytes(sampleEvents(1, 3)).length
    const rest = sampleBytes(sampleEvents(4, 6))
    const found = scan(rest, 10, { seq: 3, offset })
    expect(found).toMatchObject({ events: sampleEvents(4, 6), position: { seq: 6, offset: offset + rest.length } })
  })
})
