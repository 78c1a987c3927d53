/** The checks that must be green on the final tree: at the gate, and when a run is applied with `--check`. */
import { isDone } from '../../model/split-tasks.ts'
import type { RunState } from '../../model/state.ts'
import { acceptedBy } from './audit.ts'
import { checksFor, ownChecks, type PlannedCheck } from './checks.ts'

/**
 * The configured checks, the acceptance checks of done tasks, and the checks of split tasks whose parts are all done.
 */
export function finalChecks(state: RunState): PlannedCheck[] {
  const all = [...checksFor(state, null), ...acceptedBy(state), ...wholeChecks(state)]
  return [...new Map(all.map((check) => [check.name, check])).values()]
}

/** The checks of a split task apply to its parts together, once all of them are done. */
function wholeChecks(state: RunState): PlannedCheck[] {
  const wholes = state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .filter((task) => task.status === 'split' && isDone(state, task))
  return wholes.flatMap((task) => ownChecks(state, task))
}
