/** Reads a run without changing it: the snapshot, then the events since. */
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import type { ReadRun } from '../../api/runs.ts'
import type { LeftBehind } from '../../views/status/liveness.ts'
import { runRow, type RunRow } from '../../views/status/runs.ts'
import { runOf, runsOf } from './runs.ts'

export async function readState({ journal }: StoredRun): Promise<RunState> {
  const snapshot = await journal.snapshot()
  const state = snapshot?.state ?? initialState()
  await journal.replay((event) => void evolve(state, event), snapshot?.position)
  return state
}

export const fold = (state: RunState, events: readonly Event[]): RunState => events.reduce(evolve, state)

/** Skips the lock probe for a run that has ended. */
export async function readRun(root: string, id: string): Promise<ReadRun> {
  const run = runOf(root, id)
  const state = await readState(run)
  const live = state.endedAt === null && (await run.lock.isHeld())
  if (state.status === 'new') throw live ? starting(id) : ((await lostRun(root, id)) ?? neverStarted(id))
  const holder = live ? await run.lock.holder() : null
  return { state, live, holder, left: live ? null : await leftBy(run, state), dir: run.folder }
}

/** Only a run that is recorded as running, while no process runs it, can have left processes behind. */
async function leftBy({ folder }: StoredRun, state: RunState): Promise<LeftBehind | null> {
  return state.status === 'running' ? (await import('./left-behind.ts')).findLeft(folder, state) : null
}

const starting = (id: string): LooperError =>
  new LooperError('USAGE_RUN_STATE', `${id} is starting.`, { hint: 'Try again in a moment.' })

const neverStarted = (id: string): LooperError =>
  new LooperError('USAGE_RUN_STATE', `${id} never started.`, {
    hint: '`looper runs` shows the others; `looper clean` removes it.',
  })

/** The error when git has work of a run without a journal. */
async function lostRun(root: string, id: string): Promise<LooperError | null> {
  const { findLostRuns, lostError } = await import('./lost-runs.ts')
  const lost = (await findLostRuns(root, [])).find((run) => run.id === id)
  return lost === undefined ? null : lostError(lost)
}

/** Rows of `looper runs`, newest first. A run that cannot be read is listed by its id. */
export async function readRuns(root: string): Promise<RunRow[]> {
  const runs = runsOf(root)
  const ids = (await runs.list()).toReversed()
  if (ids.length === 0) return readLost(root)
  return Promise.all(
    ids.map(async (id): Promise<RunRow> => {
      try {
        const run = runs.open(id)
        const state = await readState(run)
        // The lock has to be probed only for a run that is recorded as running.
        const live = state.status === 'running' && (await run.lock.isHeld())
        return { ...runRow(state, { live, left: live ? null : await leftBy(run, state) }), id }
      } catch (error) {
        const reason = error instanceof LooperError ? error.message : null
        return unreadable(id, reason)
      }
    }),
  )
}

const unreadable = (id: string, reason: string | null): RunRow => ({
  ...runRow(initialState(), { live: false }),
  id,
  status: 'crashed',
  reason,
})

/** Asks git only where there is no run at all. */
async function readLost(root: string): Promise<RunRow[]> {
  const lost = await (await import('./lost-runs.ts')).findLostRuns(root, [])
  return lost.map(({ id, ref }) => unreadable(id, `its folder was deleted; see ${ref}`)).toReversed()
}
