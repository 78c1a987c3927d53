/** What app/ does with a stored run, in a store without files: it depends on the port alone. */
import { expect, test } from 'vitest'
import { createMemoryRun } from '../../../test/kit/memory-store.ts'
import { completedRun, limitedRun } from '../../../test/kit/runs.ts'
import type { TurnClaim } from '../../core/claims/turn-claims.ts'
import { folderName } from '../../dispatch/turn-folder.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import { findCleaned, recordCleaned } from './cleaned-turns.ts'
import { createFollower } from '../follow/follow.ts'
import { readState } from './read-run.ts'
import { recount } from './recount.ts'
import { withRestingRun } from './resting-run.ts'

async function stored(events: readonly Event[]): Promise<StoredRun> {
  const run = createMemoryRun('001-x')
  const { journal } = await run.journal.open()
  await journal.append(0, events)
  await journal.close()
  return run
}

test('a run is read from its snapshot, and recounted without it', async () => {
  const { events, state } = completedRun()
  const run = await stored(events)
  const { snapshots } = await run.journal.open()
  await snapshots.save({ ...state, goal: 'of the snapshot' })
  expect(await readState(run)).toEqual({ ...state, goal: 'of the snapshot' })
  expect((await recount(run)).state).toEqual(state)
})

test('what the user does with a resting run is recorded', async () => {
  const run = await stored(limitedRun().events)
  const seen: string[] = []
  await withRestingRun(
    run,
    async (_, { record }) => record({ type: 'run.ended', status: 'aborted', reason: 'aborted by you' }),
    ({ type }) => seen.push(type),
  )
  expect(seen).toEqual(['run.ended'])
  expect((await readState(run)).status).toBe('aborted')
})

test('turns that were removed are known as long as the journal before them is unchanged', async () => {
  const { events } = completedRun()
  const run = await stored(events)
  await run.artifacts.write(`turns/${folderName('plan/r0', 1)}/stream`, 'x')
  const claimed = async ({ seq = 3, starts = 1 } = {}): Promise<boolean> =>
    (await findCleaned(run))({ work: { id: 'plan/r0' }, starts, seq } as TurnClaim)
  expect(await claimed()).toBe(false)
  await recordCleaned(run)
  expect(await claimed()).toBe(true)
  expect(await claimed({ starts: 2 })).toBe(false)
  expect(await claimed({ seq: events.length + 1 })).toBe(false)
  const other = await stored(limitedRun().events)
  await other.artifacts.write('cleaned.json', (await run.artifacts.read('cleaned.json', 10_000)) ?? '')
  expect((await findCleaned(other))({ work: { id: 'plan/r0' }, starts: 1, seq: 1 } as TurnClaim)).toBe(false)
})

test('a live run is followed until its lock is released', async () => {
  const { events } = limitedRun()
  const run = await stored(events.slice(0, 2))
  const lock = await run.lock.acquire()
  const following = createFollower().follow(async () => run)
  expect((await following.next()).value?.event).toEqual(events[0])
  expect((await following.next()).value?.event).toEqual(events[1])
  const next = following.next()
  const { journal } = await run.journal.open()
  await journal.append(2, events.slice(2))
  expect((await next).value?.event).toEqual(events[2])
  await lock?.release()
  const rest: Event[] = []
  for await (const { event } of following) rest.push(event)
  expect(rest).toEqual(events.slice(3))
})
