/**
 * What is under way against what is wanted: the last step of every decision, the same for the engine and for whoever
 * replays one.
 */
import type { RunState } from '../model/state.ts'
import { verificationWorkspace, type Work } from '../model/work.ts'
import { inPlace } from './workspace-needs.ts'

/** Why work that was called off came to nothing. */
export const notWanted = 'not wanted any more'

export interface Gap {
  /** Under way and no longer wanted. */
  surplus: Work[]
  /** Wanted, not under way, and free to start. */
  missing: Work[]
}

export function gapTo(state: RunState, wanted: readonly Work[]): Gap {
  const ids = new Set(wanted.map(({ id }) => id))
  const surplus = Object.values(state.works)
    .map(({ work }) => work)
    .filter(({ id }) => !ids.has(id))
  // Somebody who is no longer wanted has not left the workspace yet.
  const occupied = new Set(surplus.flatMap((work) => placesOf(state, work)))
  const isFree = (work: Work): boolean => !placesOf(state, work).some((place) => occupied.has(place))
  return { surplus, missing: wanted.filter((work) => !state.works[work.id] && isFree(work)) }
}

/** In place, every workspace is the one checkout. Verification workspaces are many, and waiting needs none. */
function placesOf(state: RunState, work: Work): string[] {
  if (!('workspace' in work) || work.workspace === verificationWorkspace) return []
  return [inPlace(state) ? 'checkout' : work.workspace]
}
