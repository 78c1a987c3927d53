/** The running time of a run at a given time. */
import type { RunState } from './state.ts'
import { msBetween } from './time.ts'

/** Running time up to `at`, an ISO time; without it, up to the last event. */
export const elapsedMs = (
  { elapsedMs: before, activeSince, lastAt }: Pick<RunState, 'elapsedMs' | 'activeSince' | 'lastAt'>,
  at = lastAt,
): number => before + (activeSince === null ? 0 : Math.max(0, msBetween(activeSince, at)))
