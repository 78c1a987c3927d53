/** Counts the attempts in flight. */
import type { RunState, TaskState } from '../../model/state.ts'
import { isAnyRed, mostTurns } from '../policies/same-failure.ts'
import { waitsToLand } from '../stages/attempt/landing-queue.ts'
import { inPlace } from './workspace-needs.ts'

/**
 * Each attempt in a race takes a slot. An attempt that only waits to land takes none, unless another change is red: it
 * may be red, too. With only one slot, tasks run one after another. In place, all tasks share one checkout.
 */
export const attemptsRunning = (state: RunState): number =>
  state.active.reduce((sum, id) => sum + slotsOf(state, state.tasks[id]), 0)

export function slotsOf(state: RunState, task: TaskState | undefined): number {
  if (!task) return 0
  // The turn of a racer that lost may still be running.
  if (state.config.parallel > 1 && !inPlace(state) && waitsToLand(state, task) && !isAnyRed(state))
    return turnsOf(state, task)
  return 1 + (task.racers?.length ?? 0)
}

const turnsOf = ({ works }: RunState, { id }: TaskState): number =>
  Object.values(works).filter(({ work }) => work.kind === 'turn' && work.task === id).length

/** Bounds the attempts that wait to land: when checks are slower than agents, agents wait. */
export const mayStart = (state: RunState): boolean =>
  attemptsRunning(state) < state.config.parallel && state.active.length < mostActive(state)

/** Until a change has landed, all of them may fail for one cause: no more start than turns may be spent on it. */
function mostActive({ config: { parallel }, landings }: RunState): number {
  const most = 2 * parallel
  return landings.length === 0 ? Math.min(most, Math.max(parallel, mostTurns)) : most
}
