/** Reads a run without changing it: the snapshot, then the events since. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { replayJournal } from '../journal/read-events.ts'
import { start } from '../journal/scan.ts'
import { readSnapshot } from '../journal/snapshot.ts'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { ReadRun } from '../api/runs.ts'
import type { LeftBehind } from '../views/liveness.ts'
import { runRow, type RunRow } from '../views/runs.ts'
import { listRunIds, runFolder } from './run-folder.ts'

export async function readState(dir: string): Promise<RunState> {
  const snapshot = await readSnapshot(dir)
  const state = snapshot?.state ?? initialState()
  await replayJournal(dir, snapshot?.position ?? start, (event) => void evolve(state, event))
  return state
}

export const fold = (state: RunState, events: readonly Event[]): RunState => events.reduce(evolve, state)

/**
 * Whether a process holds the run now. The socket code is loaded on demand, because it costs more time than the rest of
 * a reading command.
 */
export async function isLive(dir: string): Promise<boolean> {
  const [{ isLocked }, { lockName }] = await Promise.all([
    import('../platform/lock-client.ts'),
    import('../platform/lock.ts'),
  ])
  return isLocked(lockName(dir))
}

/** Skips the lock probe for a run that has ended. */
export async function readRun(root: string, id: string): Promise<ReadRun> {
  const dir = runFolder(root, id)
  const state = await readState(dir)
  const live = state.endedAt === null && (await isLive(dir))
  if (state.status === 'new') throw neverStarted(id, live)
  const holder = live ? await (await import('../platform/read-holder.ts')).readHolder(dir) : null
  return { state, live, holder, left: live ? null : await leftBy(dir, state), dir }
}

/** Only a run that is recorded as running, while no process runs it, can have left processes behind. */
async function leftBy(dir: string, state: RunState): Promise<LeftBehind | null> {
  return state.status === 'running' ? (await import('./left-behind.ts')).findLeft(dir, state) : null
}

function neverStarted(id: string, live: boolean): LooperError {
  return live
    ? new LooperError('USAGE_RUN_STATE', `${id} is starting.`, { hint: 'Try again in a moment.' })
    : new LooperError('USAGE_RUN_STATE', `${id} never started.`, {
        hint: '`looper runs` shows the others; `looper clean` removes it.',
      })
}

/** Rows of `looper runs`, newest first. A run that cannot be read is listed by its id. */
export async function readRuns(root: string): Promise<RunRow[]> {
  const ids = (await listRunIds(root)).toReversed()
  return Promise.all(
    ids.map(async (id): Promise<RunRow> => {
      try {
        const dir = runFolder(root, id)
        const state = await readState(dir)
        // The lock has to be probed only for a run that is recorded as running.
        const live = state.status === 'running' && (await isLive(dir))
        return { ...runRow(state, { live, left: live ? null : await leftBy(dir, state) }), id }
      } catch (error) {
        const reason = error instanceof LooperError ? error.message : null
        return { ...runRow(initialState(), { live: false }), id, status: 'crashed', reason }
      }
    }),
  )
}
