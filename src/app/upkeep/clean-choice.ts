/** Decides which runs are old enough to remove, and which of those are kept because the user may still need them. */
import { msBetween } from '../../model/time.ts'
import type { CleanRequest } from '../../api/upkeep.ts'
import type { CleanStatus } from '../../views/history/cleaning.ts'

export interface Candidate {
  status: CleanStatus
  live: boolean
  /** ISO time of its end, or of its last event. */
  at: string
  /** Only whether the user discarded its changes. */
  state?: { discardedAt: string | null } | null
}

/** Why a run is kept, without regard to its changes; null when it may be removed. `rank` 1 is the newest. */
export function reasonToStay(
  { status, live, at, state }: Candidate,
  rank: number,
  request: CleanRequest,
  now: string,
): string | null {
  const { keep, age, all, turns } = request
  if (live) return 'it is under way'
  if (keep !== null && rank <= keep) return keep === 1 ? 'it is the newest' : `it is one of the newest ${keep}`
  if (age !== null && msBetween(at, now) < age.ms) return `it is younger than ${age.text}`
  // The process that resumes a run reads the output of its agents.
  return all && !turns ? null : whyWanted(status, (state?.discardedAt ?? null) !== null)
}

function whyWanted(status: CleanStatus, isDiscarded: boolean): string | null {
  switch (status) {
    case 'paused':
    case 'running':
    case 'crashed':
      return isDiscarded ? 'it has not ended' : 'it can be resumed'
    case 'new':
      return 'it never started'
    case 'unreadable':
      return 'its journal cannot be read; `looper doctor` shows more'
    case 'completed':
    case 'failed':
    case 'aborted':
    case 'leftover':
      return null
  }
}
