/**
 * Compares work under way with wanted work: the last step of every decision, the same for the engine and for a replay.
 */
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace, type Work } from '../../model/work.ts'
import { inPlace } from './workspace-needs.ts'

/** The reason in the `work.lost` event of cancelled work. */
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
  // Work that is being cancelled still occupies its workspace.
  const occupied = new Set(surplus.flatMap((work) => workspacesOf(state, work)))
  const isFree = (work: Work): boolean => !workspacesOf(state, work).some((workspace) => occupied.has(workspace))
  return { surplus, missing: wanted.filter((work) => !state.works[work.id] && isFree(work)) }
}

/**
 * In place, every workspace is the same checkout. There are many verification workspaces, so none counts as occupied.
 * Some work, such as a wait, needs none.
 */
function workspacesOf(state: RunState, work: Work): string[] {
  if (!('workspace' in work) || work.workspace === verificationWorkspace) return []
  return [inPlace(state) ? 'checkout' : work.workspace]
}
