/** The guarantees that Looper needs from every store of runs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../test/kit/memory-store.ts'
import { completedRun } from '../../test/kit/runs.ts'
import { sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import type { Event } from '../model/event.ts'
import type { RunStore, StoredRun } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { openFileStore } from './file-store.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-store-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function append(run: StoredRun, events: readonly Event[]): Promise<void> {
  const { journal } = await run.journal.open()
  await journal.append((events[0]?.seq ?? 1) - 1, events)
  await journal.close()
}

/** Only the number matters to a store. */
const stateAt = (seq: number, goal = 'a goal'): RunState => ({ seq, goal }) as RunState

/** Leaves a file in a run, as an agent does. */
type Plant = (run: StoredRun, name: string) => Promise<void>

const plantFile: Plant = async ({ folder }, name) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), 'x')
}
const plantInMemory: Plant = ({ artifacts }, name) => artifacts.write(name, 'x')

describe.each([
  ['files', (): RunStore => openFileStore(root), plantFile],
  ['memory', createMemoryStore, plantInMemory],
])('a store in %s', (_, open, plant) => {
  let store: RunStore
  let run: StoredRun
  beforeEach(async () => {
    store = open()
    run = await store.create('add auth')
  })

  describe('runs', () => {
    test('get the next number and words of the goal, and are listed oldest first', async () => {
      expect(run.id).toBe('001-add-auth')
      expect(await store.nextId('fix it')).toBe('002-fix')
      expect((await store.create('x', ['1007-old', 'main'])).id).toBe('1008-x')
      expect((await store.create('y')).id).toBe('1009-y')
      expect(await store.list()).toEqual(['001-add-auth', '1008-x', '1009-y'])
    })

    test('never share a number', async () => {
      const made = await Promise.all(Array.from({ length: 10 }, (__, at) => store.create(`goal ${at}`)))
      expect(new Set(made.map(({ id }) => id.slice(0, 3))).size).toBe(10)
      expect(await store.list()).toHaveLength(11)
    })

    test('are the same run whenever they are opened', async () => {
      await append(run, sampleEvents(1, 2))
      const again = store.open(run.id)
      expect(again).toMatchObject({ id: run.id, folder: run.folder })
      expect(await again.journal.events()).toEqual(sampleEvents(1, 2))
      expect((await store.create('another')).folder).not.toBe(run.folder)
    })

    test('that do not exist have nothing, and are not created by asking', async () => {
      const missing = store.open('099-missing')
      expect(await missing.journal.events()).toEqual([])
      expect(await missing.journal.first()).toBeNull()
      expect(await missing.journal.snapshot()).toBeNull()
      expect(await missing.journal.changedAt()).toBeNull()
      expect(await missing.inbox.read()).toEqual([])
      expect(await missing.lock.holder()).toBeNull()
      expect(await missing.artifacts.folders('turns')).toEqual([])
      expect(await missing.artifacts.exists('cleaned.json')).toBe(false)
      expect(await store.list()).toEqual([run.id])
    })

    test('that are retired are gone, and their number is not used again', async () => {
      await append(run, sampleEvents(1, 1))
      const folder = await store.retire(run.id)
      expect(await store.list()).toEqual([])
      expect((await store.create('another')).id).toBe('002-another')
      for (const left of await store.retired()) expect(left).toEqual({ id: run.id, folder })
    })
  })

  describe('a journal', () => {
    test('passes every event to the process that opens it, then takes more', async () => {
      await append(run, sampleEvents(1, 3))
      const seen: Event[] = []
      const { journal, tornBytes } = await run.journal.open((event) => seen.push(event))
      expect(seen).toEqual(sampleEvents(1, 3))
      expect(tornBytes).toBe(0)
      await expect(journal.append(2, sampleEvents(3, 3))).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
      await journal.append(3, sampleEvents(4, 4))
      expect(await run.journal.events()).toEqual(sampleEvents(1, 4))
      await journal.close()
    })

    test('is read whole, from an event on, and its first event alone', async () => {
      await append(run, sampleEvents(1, 5))
      expect(await run.journal.events(3)).toEqual(sampleEvents(4, 5))
      expect(await run.journal.events(5)).toEqual([])
      expect(await run.journal.first()).toEqual(sampleEvent(1))
      const seen: Event[] = []
      await run.journal.replay((event) => seen.push(event))
      expect(seen).toEqual(sampleEvents(1, 5))
    })

    test('is replayed from a snapshot', async () => {
      const { events, state } = completedRun()
      const { journal, snapshots } = await run.journal.open()
      await journal.append(0, events)
      expect(await run.journal.snapshot()).toBeNull()
      const [middle] = events.slice(-4) as [Event]
      await snapshots.save({ ...state, seq: middle.seq })
      const found = await run.journal.snapshot()
      expect(found?.state).toEqual({ ...state, seq: middle.seq })
      const seen: Event[] = []
      await run.journal.replay((event) => seen.push(event), found?.position)
      expect(seen).toEqual(events.slice(-3))
      await journal.close()
    })

    test('has no snapshot of an event that it does not have', async () => {
      const { snapshots, journal } = await run.journal.open()
      await expect(snapshots.save(stateAt(1))).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
      expect(await run.journal.snapshot()).toBeNull()
      await journal.append(0, sampleEvents(1, 2))
      await snapshots.save(stateAt(2))
      expect(await snapshots.load()).toEqual(stateAt(2))
      await journal.close()
    })

    test('is inspected, and there is nothing to repair', async () => {
      await append(run, sampleEvents(1, 2))
      const seen: Event[] = []
      const { position, damage } = await run.journal.inspect((event) => seen.push(event))
      expect(seen).toEqual(sampleEvents(1, 2))
      expect([position.seq, damage]).toEqual([2, null])
      expect(await run.journal.repair()).toBeNull()
    })

    test('keeps the digest of its beginning as it grows', async () => {
      await append(run, sampleEvents(1, 2))
      const { position } = await run.journal.inspect()
      const digest = await run.journal.digest(position)
      await append(run, sampleEvents(3, 3))
      expect(await run.journal.digest(position)).toBe(digest)
      expect(await run.journal.digest((await run.journal.inspect()).position)).not.toBe(digest)
      const other = await store.create('another')
      await append(other, [sampleEvent(1), sampleEvent(2, 'other 02')])
      expect(await other.journal.digest((await other.journal.inspect()).position)).not.toBe(digest)
    })

    test('knows when it was written', async () => {
      expect(await run.journal.changedAt()).toBeNull()
      const before = Date.now() - 2_000
      await append(run, sampleEvents(1, 1))
      expect((await run.journal.changedAt())?.getTime()).toBeGreaterThan(before)
    })

    test('is followed as it grows', async () => {
      await append(run, sampleEvents(1, 2))
      const tail = await run.journal.tail({ pollMs: 20 })
      expect(await tail.read()).toEqual(sampleEvents(1, 2))
      expect(await tail.read()).toEqual([])
      const changed = tail.changed()
      await append(run, sampleEvents(3, 3))
      await changed
      expect(await tail.read()).toEqual(sampleEvents(3, 3))
      // Without a change: readers also watch the lock.
      await tail.changed()
      const last = tail.changed()
      tail.close()
      await last
    })
  })

  test('an inbox delivers commands in order until they are acknowledged', async () => {
    const { inbox } = run
    const stop = await inbox.send({ do: 'stop' })
    const skip = await inbox.send({ do: 'skip', task: 'T001', reason: null })
    const [first, second] = [
      { do: 'stop', id: stop },
      { do: 'skip', task: 'T001', reason: null, id: skip },
    ]
    expect(await store.open(run.id).inbox.read()).toEqual([first, second])
    await inbox.acknowledge(stop)
    await inbox.acknowledge(stop)
    expect(await inbox.read()).toEqual([second])
  })

  test('a lock has one holder, which can be nudged until it releases', async () => {
    const { lock } = run
    expect([await lock.isHeld(), await lock.nudge()]).toEqual([false, false])
    const held = await lock.acquire()
    let nudges = 0
    held?.onNudge(() => void nudges++)
    expect(await store.open(run.id).lock.acquire()).toBeNull()
    expect([await lock.isHeld(), await lock.nudge(), nudges]).toEqual([true, true, 1])
    await held?.beat()
    expect(await lock.holder()).toMatchObject({ pid: process.pid })
    expect(await lock.wakeHolder()).toBeNull()
    await held?.release()
    expect([await lock.isHeld(), await lock.nudge(), nudges]).toEqual([false, false, 1])
    await (await lock.acquire())?.release()
  })

  test('artifacts are found by their name, whole or in parts', async () => {
    const { artifacts } = run
    expect(await artifacts.read('cleaned.json', 10)).toBeNull()
    expect(await artifacts.open('cleaned.json')).toBeNull()
    await artifacts.write('cleaned.json', 'first')
    const opened = await artifacts.open('cleaned.json')
    await artifacts.write('cleaned.json', 'the second')
    expect(await store.open(run.id).artifacts.exists('cleaned.json')).toBe(true)
    expect(await artifacts.read('cleaned.json', 3)).toBe('the')
    expect(await opened?.size()).toBe(5)
    const into = Buffer.alloc(3)
    expect(await opened?.read(1, into)).toBe(3)
    expect(String(into)).toBe('irs')
    expect(await opened?.read(5, into)).toBe(0)
    expect(await opened?.read(9, into)).toBe(0)
    await opened?.close()
  })

  test('artifacts of turns are found in the folders of the turns', async () => {
    for (const name of ['turns/plan.1/stream', 'turns/plan.1/stderr', 'turns/T001.a1@2/stream', 'turns/carried.jsonl'])
      await plant(run, name)
    expect((await run.artifacts.folders('turns')).toSorted()).toEqual(['T001.a1@2', 'plan.1'])
    expect(await run.artifacts.exists('turns/plan.1/stream')).toBe(true)
    expect(await run.artifacts.exists('turns/plan.2/stream')).toBe(false)
    expect(await run.artifacts.read('turns/T001.a1@2/stream', 10)).toBe('x')
  })
})
