import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Event } from '../model/event.ts'
import { openFileJournal } from './file-journal.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import { openTail } from './tail.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-tail-'))
  file = join(dir, 'events.jsonl')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Longer than any test, so that only a change can wake the follower. */
const never = 1_000_000

async function* follow(runDir: string, { fromSeq = 1, pollMs = 500 } = {}): AsyncGenerator<Event, void, undefined> {
  const tail = openTail(runDir, { pollMs })
  try {
    for (;;) {
      const changed = tail.changed()
      const events = await tail.read()
      yield* events.filter(({ seq }) => seq >= fromSeq)
      if (events.length === 0) await changed
    }
  } finally {
    tail.close()
  }
}

async function take(events: AsyncGenerator<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = []
  while (taken.length < count) {
    const { value, done } = await events.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

describe('following a journal', () => {
  test('gives what is there, then what comes, as a live journal grows', async () => {
    const { journal } = await openFileJournal(dir)
    await journal.append(0, sampleEvents(1, 3))
    const events = follow(dir, { pollMs: never })
    expect(await take(events, 3)).toEqual(sampleEvents(1, 3))
    const next = take(events, 20)
    for (let seq = 4; seq <= 23; seq++) await journal.append(seq - 1, [sampleEvent(seq)])
    expect(await next).toEqual(sampleEvents(4, 23))
    await events.return()
    await journal.close()
  })

  test('begins at the given event', async () => {
    await writeFile(file, sampleBytes(sampleEvents(1, 5)))
    const events = follow(dir, { fromSeq: 4 })
    expect(await take(events, 2)).toEqual(sampleEvents(4, 5))
    const next = take(events, 1)
    await appendFile(file, sampleBytes(sampleEvents(6, 6)))
    expect(await next).toEqual(sampleEvents(6, 6))
    await events.return()
  })

  test('waits for events that are not there yet, for the file, and for the run', async () => {
    const later = join(dir, 'later')
    const events = follow(later, { fromSeq: 2, pollMs: 5 })
    const first = take(events, 1)
    const made = await mkdtemp(join(dir, 'made-'))
    await writeFile(join(made, 'events.jsonl'), sampleBytes(sampleEvents(1, 2)))
    await rename(made, later)
    expect(await first).toEqual(sampleEvents(2, 2))
    await events.return()
  })

  test('waits for the rest of a line that is only begun', async () => {
    const bytes = sampleBytes(sampleEvents(1, 2))
    await writeFile(file, bytes.subarray(0, -10))
    const events = follow(dir)
    expect(await take(events, 1)).toEqual(sampleEvents(1, 1))
    const next = take(events, 1)
    await appendFile(file, bytes.subarray(-10))
    expect(await next).toEqual(sampleEvents(2, 2))
    await events.return()
  })

  test('wakes a reader that waits when it is closed', async () => {
    await writeFile(file, sampleBytes(sampleEvents(1, 1)))
    const tail = openTail(dir, { pollMs: never })
    expect(await tail.read()).toEqual(sampleEvents(1, 1))
    const changed = tail.changed()
    tail.close()
    await changed
  })

  test('finds its place again after a writer took back what it had not made safe', async () => {
    await writeFile(file, sampleBytes(sampleEvents(1, 3)))
    const events = follow(dir)
    expect(await take(events, 3)).toEqual(sampleEvents(1, 3))
    await truncate(file, sampleBytes(sampleEvents(1, 2)).length)
    await appendFile(file, sampleBytes([sampleEvent(3, 'another, and a longer one'), ...sampleEvents(4, 6)]))
    expect(await take(events, 3)).toEqual(sampleEvents(4, 6))
    await events.return()
  })

  test('reads a long journal in portions, and a line that is longer than a portion', async () => {
    const short = sampleEvents(1, 30_000)
    await writeFile(file, sampleBytes([...short, sampleEvent(30_001, 'x'.repeat(9_000_000)), sampleEvent(30_002)]))
    const tail = openTail(dir, { pollMs: never })
    const sizes: number[] = []
    const seen: number[] = []
    for (let events = await tail.read(); events.length > 0; events = await tail.read()) {
      sizes.push(events.length)
      seen.push(...events.map(({ seq }) => seq))
    }
    tail.close()
    expect(seen).toEqual(Array.from({ length: 30_002 }, (_, index) => index + 1))
    expect(Math.max(...sizes)).toBeLessThan(15_000)
  })

  test('begins at the position of a snapshot', async () => {
    await writeFile(file, sampleBytes(sampleEvents(1, 4)))
    const tail = openTail(dir, { pollMs: never, from: { seq: 3, offset: sampleBytes(sampleEvents(1, 3)).length } })
    expect(await tail.read()).toEqual(sampleEvents(4, 4))
    expect(await tail.read()).toEqual([])
    tail.close()
  })

  test('reports damage', async () => {
    const bytes = sampleBytes(sampleEvents(1, 4))
    await writeFile(file, bytes)
    const events = follow(dir)
    await take(events, 4)
    await appendFile(file, 'rubbish\nrubbish\n')
    await expect(events.next()).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED', details: { seq: 5 } })
  })
})
