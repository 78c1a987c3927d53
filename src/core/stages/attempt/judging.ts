/**
 * Whether agents judge each attempt: not in a backlog, which is reviewed at its end, and not when whole waves are
 * reviewed.
 */
import type { RunState } from '../../../model/state.ts'
import { reviewsWaves } from '../../tasks/workspace-needs.ts'

export const judges = (state: RunState): boolean =>
  state.config.review && state.backlog === null && !reviewsWaves(state)
