/** Running time: it passes while somebody runs the run. */
import type { RunState } from '../model/state.ts'
import { addMs, msBetween } from '../model/time.ts'
import { isDelay, isTimeLimit } from '../model/work-id.ts'

export function stopClock(state: RunState, at: string): void {
  if (state.activeSince === null) return
  state.elapsedMs += Math.max(0, msBetween(state.activeSince, at))
  state.activeSince = null
}

export function elapsedMs(state: RunState, at: string): number {
  return state.elapsedMs + (state.activeSince === null ? 0 : Math.max(0, msBetween(state.activeSince, at)))
}

/** The clock got ahead by so much: the stretch under way began that much later. */
export function skipTime(state: RunState, ms: number, at: string): void {
  if (state.activeSince === null) return
  const since = addMs(state.activeSince, ms)
  state.activeSince = since < at ? since : at
}

/**
 * Waiting for a limit to lift is counted on its own, once however many wait; while everything waits it is not running
 * time.
 */
export function passTime(state: RunState, at: string, skippedMs: number): void {
  // Asked with every event: most share their time with the one before.
  if (state.activeSince === null || at === state.lastAt) return
  let waits = 0
  let others = 0
  for (const {
    work: { id, kind },
  } of Object.values(state.works)) {
    if (kind !== 'wait') others++
    else if (!isTimeLimit(id) && !isDelay(id)) waits++
  }
  if (waits === 0) return
  const passed = Math.max(0, msBetween(state.lastAt, at) - skippedMs)
  state.waitedMs += passed
  if (others === 0) state.elapsedMs -= passed
}
