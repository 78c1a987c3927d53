/** How many attempts are in flight. */
import type { RunState, TaskState } from '../model/state.ts'
import { waitsToLand } from './stages/landing-queue.ts'
import { inPlace } from './workspace-needs.ts'

/**
 * Attempts that race take a slot each. One that only waits to land takes none, but where there is only one slot: there
 * one task follows the other. In place there is one checkout for all.
 */
export const slotsTaken = (state: RunState): number =>
  state.active.reduce((sum, id) => sum + slotsOf(state, state.tasks[id]), 0)

export function slotsOf(state: RunState, task: TaskState | undefined): number {
  if (!task) return 0
  // A racer that lost may not have ended yet.
  if (state.config.parallel > 1 && !inPlace(state) && waitsToLand(state, task)) return turnsOf(state, task)
  return 1 + (task.rivals?.length ?? 0)
}

const turnsOf = ({ works }: RunState, { id }: TaskState): number =>
  Object.values(works).filter(({ work }) => work.kind === 'turn' && work.task === id).length

/** So many more attempts may wait to land: where checks are slower than agents, agents wait. */
export const mayStart = (state: RunState): boolean =>
  slotsTaken(state) < state.config.parallel && state.active.length < 2 * state.config.parallel
