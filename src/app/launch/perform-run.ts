/** Performs a run in this process until it ends or pauses, then applies the result where the user asked for it. */
import type { Finished, Observer } from '../../api/runs.ts'
import { LooperError } from '../../model/error.ts'
import type { Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { AppContext } from '../context.ts'
import type { Follower } from '../follow/follow.ts'
import { createPerformedRun } from '../follow/performed-run.ts'
import { apply, type HandedOver } from '../review/hand-over.ts'
import { runOf } from '../runs/runs.ts'
import { launch } from './launch.ts'
import type { Launch } from './stretch.ts'

/** `first` returns the first event of this stretch for the recorded state. */
export async function performRun(
  context: AppContext,
  follower: Follower,
  options: Launch & { apply: boolean },
  first: (state: RunState) => Fact,
  observer: Observer,
): Promise<Finished> {
  const { root, id } = options
  const stored = runOf(root, id)
  const run = createPerformedRun(follower, stored)
  try {
    const state = await launch(context, options, first, observer, run)
    const finished = { state, dir: stored.folder, applied: null }
    if (!options.apply || state.status !== 'completed' || state.config.workspace.mode === 'in-place') return finished
    // Readers of the run also get the event of the apply.
    const applied = apply(context, root, id, { publish: run.publish, onlyThere: true })
    return { ...finished, ...(await applied.then(succeeded, refused)) }
  } finally {
    run.close()
  }
}

const succeeded = ({ state, message }: HandedOver): Pick<Finished, 'state' | 'applied'> => ({
  state,
  applied: { ok: true, message },
})

function refused(error: unknown): Pick<Finished, 'applied'> {
  if (!(error instanceof LooperError)) throw error
  return { applied: { ok: false, message: `${error.message} ${error.hint}` } }
}
