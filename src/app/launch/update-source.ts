/**
 * Updates the task source for a resting run. Otherwise the source would be outdated until a resume, and an aborted run
 * is never resumed.
 */
import { messageOf } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { createClock } from '../../platform/clock.ts'
import type { AppContext } from '../context.ts'
import { acquire } from '../prepare/exclusive.ts'
import { runOf } from '../runs/runs.ts'
import { openStore, openTaskSource } from './task-source.ts'
import { backlogOf, sourceOf, workflowOf } from '../prepare/workflow.ts'

/**
 * The caller holds the run's lock. Resolves with the reason when the update fails; null when it succeeds or is not
 * needed.
 */
export async function updateSource(
  { env, home }: Pick<AppContext, 'env' | 'home'>,
  root: string,
  state: RunState,
): Promise<string | null> {
  const { run, config, session } = state
  const workflow = workflowOf(state)
  const kind = sourceOf(workflow, config)
  // A source that was never polled has no record of this run.
  if (kind === null || (state.backlog?.polls ?? 0) === 0) return null
  const sourceName = kind === 'todo-file' ? config.backlog : 'its source of tasks'
  try {
    // Fails when another run works through the backlog: only that run may write to it.
    const holding = await acquire(root, backlogOf({ root, workflow, config }))
    try {
      await holding.publish(run)
      const store = await openStore(kind, {
        run,
        root,
        backlog: config.backlog,
        name: config.sourceName,
        session,
        env,
        home,
      })
      const source = openTaskSource({
        dir: runOf(root, run).folder,
        run,
        state,
        store,
        clock: createClock(0),
        onTrouble: () => {},
      })
      await source.settle()
    } finally {
      await holding.release()
    }
    return null
  } catch (error) {
    return `${sourceName} was not updated: ${messageOf(error)}`
  }
}
