/** Takes over from an earlier engine: the site adopts what still runs, and the rest is recorded as lost. */
import { workspacesUnderWay } from '../core/tasks/workspace-needs.ts'
import type { Fact } from '../model/event.ts'
import { engineGone } from '../model/interrupted.ts'
import type { Site } from '../model/ports/site.ts'
import type { RunState } from '../model/state.ts'
import { isRemote } from './collect.ts'
import type { DoneTasks } from './done-tasks.ts'
import type { LocalWorker } from './local-work.ts'
import type { Recorder } from './recorder.ts'

interface Means {
  state: RunState
  site: Pick<Site, 'recover'>
  recorder: Pick<Recorder, 'record'>
  local: Pick<LocalWorker, 'start'>
  doneTasks: Pick<DoneTasks, 'release'>
}

/** `revoked`: recorded events that failed verification. */
export async function recover(
  { state, site, recorder, local, doneTasks }: Means,
  first: Fact,
  revoked: readonly Fact<'work.lost'>[],
): Promise<void> {
  const left = Object.values(state.works)
  await site.recover(
    left.flatMap(({ work, starts }) => (isRemote(work) ? [{ work, starts }] : [])),
    workspacesUnderWay(state),
  )
  doneTasks.release(state.order)
  // Must be the first event: running time ends with the last event of the old engine.
  recorder.record(first)
  for (const fact of revoked) recorder.record(fact)
  // A rollback starts from what has landed, so an interrupted landing is completed first. Landing is idempotent.
  const isGoingBack = state.convergence.next?.do === 'roll-back'
  for (const { work } of left) {
    if (isRemote(work)) continue
    if (work.kind === 'wait' || (isGoingBack && work.kind === 'integrate')) local.start(work)
    else recorder.record({ type: 'work.lost', id: work.id, why: engineGone })
  }
}
