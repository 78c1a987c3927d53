/** Ends a stretch of a run: applies the result where the user asked for it. */
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import type { Finished, Observer } from '../api/runs.ts'
import type { Context } from './context.ts'
import { apply } from './hand-over.ts'
import { runOf } from './runs.ts'

/** `observer` is false when the run is not to be applied; otherwise it also receives the events of the apply. */
export async function finish(
  context: Context,
  state: RunState,
  root: string,
  observer: Observer | false,
): Promise<Finished> {
  const { folder: dir } = runOf(root, state.run)
  if (!observer || state.status !== 'completed' || state.config.workspace.mode === 'in-place')
    return { state, dir, applied: null }
  try {
    const { state: after, message } = await apply(context, root, state.run, { watch: observer.onEvent })
    return { state: after, dir, applied: { ok: true, message } }
  } catch (error) {
    if (error instanceof LooperError)
      return { state, dir, applied: { ok: false, message: `${error.message} ${error.hint}` } }
    throw error
  }
}
