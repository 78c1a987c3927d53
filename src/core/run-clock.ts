/** Running time: it passes while somebody runs the run. */
import type { RunState } from '../model/state.ts'
import { msBetween } from '../model/time.ts'

export function stopClock(state: RunState, at: string): void {
  if (state.activeSince === null) return
  state.elapsedMs += Math.max(0, msBetween(state.activeSince, at))
  state.activeSince = null
}

export function elapsedMs(state: RunState, at: string): number {
  return state.elapsedMs + (state.activeSince === null ? 0 : Math.max(0, msBetween(state.activeSince, at)))
}
