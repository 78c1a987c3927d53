/** Reads a run without touching it: the snapshot, then what happened since. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { readEvents } from '../journal/read-events.ts'
import { readSnapshot } from '../journal/snapshot.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { isLocked } from '../platform/lock-client.ts'
import { lockName } from '../platform/lock.ts'
import type { ReadRun, RunRow } from '../surfaces/cli/app.ts'
import { listRunIds, runFolder } from './run-folder.ts'

export async function readState(dir: string): Promise<RunState> {
  const snapshot = await readSnapshot(dir)
  const { events } = await readEvents(dir, snapshot ? { afterSeq: snapshot.position.seq, fromOffset: snapshot.position.offset } : {})
  return fold(snapshot?.state ?? initialState(), events)
}

export const fold = (state: RunState, events: readonly Event[]): RunState => events.reduce(evolve, state)

/** A process owns the run right now. */
export const isLive = (dir: string): Promise<boolean> => isLocked(lockName(dir))

export async function readRun(root: string, id: string): Promise<ReadRun> {
  const dir = runFolder(root, id)
  const [state, live] = await Promise.all([readState(dir), isLive(dir)])
  return { state, live, dir }
}

/** Rows of `looper runs`, newest first. A run that cannot be read is listed by its id all the same. */
export async function readRuns(root: string): Promise<RunRow[]> {
  const ids = (await listRunIds(root)).toReversed()
  return Promise.all(ids.map(async (id): Promise<RunRow> => {
    try {
      const { state, live } = await readRun(root, id)
      const status = state.status === 'running' && !live ? 'crashed' : state.status
      return { id, goal: state.goal, workflow: state.workflow, status, startedAt: state.startedAt, endedAt: state.endedAt }
    } catch {
      return { id, goal: '', workflow: '', status: 'crashed', startedAt: '', endedAt: null }
    }
  }))
}
