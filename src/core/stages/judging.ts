/**
 * Where agents judge an attempt: not in a backlog, whose review comes when all is done, nor where a whole wave is
 * reviewed.
 */
import type { RunState } from '../../model/state.ts'
import { reviewsWaves } from '../workspace-needs.ts'

export const judges = (state: RunState): boolean =>
  state.config.review && state.backlog === null && !reviewsWaves(state)
