import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completedRun, failedRun, limitedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import type { Followed, FollowOptions } from '../../api/follow.ts'
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import type { Event } from '../../model/event.ts'
import { acquireLock, lockName } from '../../platform/lock.ts'
import { createFollower, type Follower } from './follow.ts'
import { runIn } from '../runs/runs.ts'
import { createPerformedRun } from './performed-run.ts'
import { shareRun } from './shared-run.ts'

let dir: string
let file: string
/** The number of events that were read from the journal. */
let readCount: number
let follower: Follower
let follow: (options?: FollowOptions) => AsyncIterableIterator<Followed>
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'looper-follow-')), '001-x')
  mkdirSync(dir)
  file = join(dir, 'events.jsonl')
  readCount = 0
  follower = createFollower(async (run) => {
    const tail = await run.journal.tail({ pollMs: 20 })
    const read = async (): Promise<Event[]> => {
      const events = await tail.read()
      readCount += events.length
      return events
    }
    return shareRun({ ...run, journal: { ...run.journal, tail: async () => ({ ...tail, read }) } })
  })
  follow = (options) => follower.follow(async () => runIn(dir), options)
})
afterEach(() => rmSync(join(dir, '..'), { recursive: true, force: true }))

const keep = (events: readonly Event[]): void => writeFileSync(file, sampleBytes(events))
const append = (events: readonly Event[]): void => appendFileSync(file, sampleBytes(events))

async function take(following: AsyncIterator<Followed>, count: number): Promise<Event[]> {
  const taken: Event[] = []
  while (taken.length < count) {
    const { value, done } = await following.next()
    if (done) break
    taken.push(value.event)
  }
  return taken
}
const all = (following: AsyncIterator<Followed>): Promise<Event[]> => take(following, Infinity)
const waits = async (next: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 50, 'waiting'))])) === 'waiting'

describe('a recorded run', () => {
  test('gives each event with the state that it leads to, and ends', async () => {
    const { events } = completedRun()
    keep(events)
    const expected = initialState()
    const seen: Event[] = []
    for await (const { event, state } of follow()) {
      evolve(expected, structuredClone(event))
      expect(state).toEqual(expected)
      seen.push(event)
    }
    expect(seen).toEqual(events)
  })

  test('following a run that is over ends with what there is', async () => {
    const { events } = failedRun()
    keep(events)
    const [{ seq: newest }] = events.slice(-1) as [Event]
    expect(await all(follow({ after: newest - 3, until: 'end' }))).toEqual(events.slice(-3))
  })

  test.each([
    ['paused', limitedRun],
    ['resumed after it had failed', () => failedRun().record({ type: 'run.resumed', limits: {} })],
  ])('a run that is %s may be resumed, so the follower waits', async (_, played) => {
    const { events } = played()
    keep(events)
    const stop = new AbortController()
    const following = follow({ after: events.length - 1, until: 'end', signal: stop.signal })
    expect(await take(following, 1)).toEqual(events.slice(-1))
    const next = following.next()
    expect(await waits(next)).toBe(true)
    stop.abort()
    expect((await next).done).toBe(true)
    expect(await all(follow())).toEqual(events)
  })

  test('a torn line at the end is not there', async () => {
    const { events } = limitedRun()
    keep(events)
    appendFileSync(file, sampleBytes(events.slice(0, 1)).subarray(0, 40))
    expect(await all(follow())).toEqual(events)
  })
})

describe('a live run', () => {
  test('is followed as its journal grows, and ends when no process holds it', async () => {
    const { events } = limitedRun()
    const lock = await acquireLock(lockName(dir))
    try {
      keep(events.slice(0, 3))
      const following = follow()
      expect(await take(following, 3)).toEqual(events.slice(0, 3))
      const next = take(following, 2)
      expect(await waits(next)).toBe(true)
      append(events.slice(3, 4))
      const torn = sampleBytes(events.slice(4, 5))
      appendFileSync(file, torn.subarray(0, 30))
      expect(await waits(next)).toBe(true)
      appendFileSync(file, torn.subarray(30))
      expect(await next).toEqual(events.slice(3, 5))
      const rest = all(following)
      append(events.slice(5))
      await lock?.release()
      expect(await rest).toEqual(events.slice(5))
    } finally {
      await lock?.release()
    }
  })

  test('`return` ends a reader that waits', async () => {
    const { events } = limitedRun()
    keep(events)
    const following = follow({ until: 'end' })
    await take(following, events.length)
    const next = following.next()
    expect(await waits(next)).toBe(true)
    await following.return?.()
    expect((await next).done).toBe(true)
  })

  test('a signal that was given before ends it at once', async () => {
    keep(limitedRun().events)
    expect(await all(follow({ signal: AbortSignal.abort() }))).toEqual([])
  })
})

describe('readers of one process', () => {
  test('share one reader of the journal and one fold', async () => {
    const { events } = completedRun()
    keep(events)
    const states = new Set<unknown>()
    const read = async (): Promise<Event[]> => {
      const seen: Event[] = []
      for await (const { event, state } of follow()) {
        states.add(state)
        expect(state.seq).toBeGreaterThanOrEqual(event.seq)
        seen.push(event)
      }
      return seen
    }
    expect(await Promise.all([read(), read(), read()])).toEqual([events, events, events])
    expect(states.size).toBe(1)
    expect(readCount).toBe(events.length)
  })

  test('one that comes late gets what it does not know, with the newest state, and what comes', async () => {
    const { events } = completedRun()
    keep(events.slice(0, 6))
    const first = follow({ until: 'end' })
    await take(first, 6)
    append(events.slice(6, 8))
    await take(first, 2)
    const late = follow({ after: 4, until: 'end' })
    const { value } = await late.next()
    expect(value).toMatchObject({ event: events[4], state: { seq: 8 } })
    expect(await take(late, 3)).toEqual(events.slice(5, 8))
    append(events.slice(8, 9))
    expect(await Promise.all([take(first, 1), take(late, 1)])).toEqual([events.slice(8, 9), events.slice(8, 9)])
    expect(readCount).toBe(9)
    await first.return?.()
    append(events.slice(9, 10))
    expect(await take(late, 1)).toEqual(events.slice(9, 10))
    await late.return?.()
  })

  test('the first one may know some of it', async () => {
    const { events, state } = completedRun()
    keep(events)
    const seen = follow({ after: events.length - 1 })
    const { value } = await seen.next()
    expect(value).toEqual({ event: events.at(-1), state })
    await seen.return?.()
  })

  test('after the last reader has left, the next one reads from the start', async () => {
    const { events } = limitedRun()
    keep(events)
    expect(await all(follow())).toEqual(events)
    expect(await all(follow())).toEqual(events)
    expect(readCount).toBe(2 * events.length)
  })
})

describe('a run that this process performs', () => {
  /** Records and publishes as the engine does: the state includes a whole group before its first event is published. */
  const perform = (events: readonly Event[], onRead = (): void => {}) => {
    keep(events)
    const state = initialState()
    for (const event of structuredClone(events)) evolve(state, event)
    const stored = runIn(dir)
    const journal = { ...stored.journal, events: (after?: number) => (onRead(), stored.journal.events(after)) }
    const run = createPerformedRun(follower, { ...stored, journal })
    const record = (group: readonly Event[]): void => {
      append(group)
      for (const event of structuredClone(group)) evolve(state, event)
      for (const event of group) run.publish(event, state)
    }
    run.open(state)
    return { run, record, state }
  }

  test('is read from its recorder, by all readers, with the state of the engine', async () => {
    const { events } = completedRun()
    const { run, record, state } = perform(events.slice(0, 4))
    rmSync(file)
    const readers = [run.follow(4), follow({ after: 4 }), run.follow(6)]
    const read = Promise.all(readers.map(all))
    const [first] = events.slice(4)
    const shown = run.follow(4)
    const next = shown.next()
    expect(await waits(next)).toBe(true)
    record(events.slice(4, 9))
    expect(await next).toEqual({ done: false, value: { event: first, state } })
    expect((await shown.next()).value?.state).toBe(state)
    await shown.return?.()
    record(events.slice(9))
    run.close()
    expect(await read).toEqual([events.slice(4), events.slice(4), events.slice(6)])
    expect(readCount).toBe(0)
  })

  test('a late reader gets the recorded events from the journal, and each event once', async () => {
    const { events } = completedRun()
    const coming = [events.slice(6, 8)]
    const { run, record } = perform(events.slice(0, 4), () => coming.splice(0).forEach(record))
    record(events.slice(4, 6))
    const late = follow()
    expect(await take(late, 8)).toEqual(events.slice(0, 8))
    expect(coming).toEqual([])
    const later = follow({ after: 5 })
    expect(await take(later, 3)).toEqual(events.slice(5, 8))
    record(events.slice(8))
    run.close()
    expect(await Promise.all([all(late), all(later)])).toEqual([events.slice(8), events.slice(8)])
    expect(readCount).toBe(0)
  })

  test('a signal and `return` end a reader that waits; the others stay', async () => {
    const { events } = limitedRun()
    const { run, record } = perform(events.slice(0, 4))
    const stop = new AbortController()
    const stopped = follow({ after: 4, signal: stop.signal })
    const [first, second, other] = [stopped.next(), run.follow(4), run.follow(4)]
    const left = second.next()
    const rest = all(other)
    expect(await waits(Promise.race([first, left]))).toBe(true)
    stop.abort()
    expect((await first).done).toBe(true)
    await second.return?.()
    expect((await left).done).toBe(true)
    record(events.slice(4))
    run.close()
    expect(await rest).toEqual(events.slice(4))
  })

  test('a reader that waits for its end follows the journal after a pause', async () => {
    const { events } = completedRun()
    const { run, record } = perform(events.slice(0, 4))
    const following = follow({ after: 4, until: 'end' })
    const first = take(following, 1)
    record(events.slice(4, 6))
    run.close()
    expect(await first).toEqual(events.slice(4, 5))
    expect(await take(following, 1)).toEqual(events.slice(5, 6))
    const next = take(following, events.length)
    expect(await waits(next)).toBe(true)
    append(events.slice(6))
    expect(await next).toEqual(events.slice(6))
  })

  test('a reader of the journal stays there when this process resumes the run', async () => {
    const { events } = completedRun()
    keep(events.slice(0, 4))
    const early = follow({ until: 'end' })
    expect(await take(early, 4)).toEqual(events.slice(0, 4))
    const { run, record } = perform(events.slice(0, 4))
    const here = all(run.follow(4))
    record(events.slice(4))
    run.close()
    expect(await here).toEqual(events.slice(4))
    expect(await all(early)).toEqual(events.slice(4))
  })
})
