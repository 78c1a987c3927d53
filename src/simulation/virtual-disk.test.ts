/** The virtual disk keeps its guarantees, and fails in the ways real disks fail. */
import { expect, test } from 'vitest'
import type { Event } from '../model/event.ts'
import { createRandom } from './random.ts'
import { createVirtualClock, type Life } from './virtual-clock.ts'
import { createVirtualDisk, type Tail } from './virtual-disk.ts'

const eventOf = (seq: number): Event => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'work.lost',
  id: `w/${seq}`,
  why: 'x',
})

function setUp() {
  const clock = createVirtualClock()
  const disk = createVirtualDisk({ clock, random: createRandom(7), onAppend: () => {}, onDurable: () => {} })
  const life: Life = { n: 1, alive: true }
  return { clock, disk, life, journal: disk.open(life).journal }
}

const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('an append is durable after its sync, and not before', async () => {
  const { clock, disk, journal } = setUp()
  let durable = false
  void journal.append(0, [eventOf(1)]).then(() => {
    durable = true
  })
  await settle()
  expect([durable, disk.events.length]).toEqual([false, 0])
  clock.step()
  await settle()
  expect([durable, disk.events.length]).toEqual([true, 1])
})

test('an append that does not follow the last event is refused', async () => {
  const { journal } = setUp()
  void journal.append(0, [eventOf(1)])
  await expect(journal.append(0, [eventOf(1)])).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
})

test('a full disk refuses, and the journal is as before', async () => {
  const { clock, disk, journal } = setUp()
  const refused = expect(journal.append(0, [eventOf(1)])).rejects.toMatchObject({ code: 'ENVIRONMENT_DISK_FULL' })
  disk.full = true
  clock.step()
  await refused
  disk.full = false
  const again = journal.append(0, [eventOf(1)])
  clock.step()
  await again
  expect(disk.events).toHaveLength(1)
})

const tails: [Tail, number, number][] = [
  ['lost', 0, 0],
  ['kept', 3, 3],
  ['torn', 0, 2],
]

test.each(tails)('at a crash an unsynced group is %s', async (tail, least, most) => {
  const { clock, disk, life, journal } = setUp()
  let acknowledged = false
  void journal.append(0, [1, 2, 3].map(eventOf)).then(() => {
    acknowledged = true
  })
  life.alive = false
  disk.crash(life, tail)
  expect(disk.events.length).toBeGreaterThanOrEqual(least)
  expect(disk.events.length).toBeLessThanOrEqual(most)
  const opened = disk.open({ n: 2, alive: true }).journal.load()
  while (clock.step()) await settle()
  expect((await opened).map(({ seq }) => seq)).toEqual(disk.events.map(({ seq }) => seq))
  expect(acknowledged).toBe(false)
})

test.each(tails)('a disk that fails once refuses, and what it was given is %s', async (tail, least, most) => {
  const { clock, disk, journal } = setUp()
  const refused = expect(journal.append(0, [1, 2, 3].map(eventOf))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
  disk.failing = tail
  clock.step()
  await refused
  expect(disk.events.length).toBeGreaterThanOrEqual(least)
  expect(disk.events.length).toBeLessThanOrEqual(most)
  const next = disk.open({ n: 2, alive: true }).journal
  const opened = next.load()
  while (clock.step()) await settle()
  const { length } = await opened
  const again = next.append(length, [eventOf(length + 1)])
  clock.step()
  await again
  expect(disk.events.map(({ seq }) => seq)).toEqual(Array.from({ length: length + 1 }, (_, index) => index + 1))
})
