/** Running time: it passes only while an engine runs the run. */
import type { RunState } from '../../model/state.ts'
import { addMs, msBetween } from '../../model/time.ts'
import { isRetryWait } from '../../model/work.ts'

export function stopClock(state: RunState, at: string): void {
  if (state.activeSince === null) return
  state.elapsedMs += Math.max(0, msBetween(state.activeSince, at))
  state.activeSince = null
}

/** The clock jumped ahead by `ms`, so the current period starts that much later. */
export function skipTime(state: RunState, ms: number, at: string): void {
  if (state.activeSince === null) return
  const since = addMs(state.activeSince, ms)
  state.activeSince = since < at ? since : at
}

/**
 * Counts time spent waiting for a limit, once for all parallel waits. While all work is waiting, it is not running
 * time.
 */
export function passTime(state: RunState, at: string, skippedMs: number): void {
  // A fast path: this runs for every event, and most events have the time of the previous one.
  if (state.activeSince === null || at === state.lastAt) return
  let waits = 0
  let others = 0
  for (const { work } of Object.values(state.works)) {
    if (work.kind !== 'wait') others++
    else if (isRetryWait(work)) waits++
  }
  if (waits === 0) return
  const passed = Math.max(0, msBetween(state.lastAt, at) - skippedMs)
  state.waitedMs += passed
  if (others === 0) state.elapsedMs -= passed
}
