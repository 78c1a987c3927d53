/**
 * Where the run branch may go back to: not to a commit with a change that was taken back later, for that was found to
 * be broken.
 */
import type { Landing } from '../model/convergence.ts'
import type { RunState } from '../model/state.ts'

/**
 * Of the branch with its first `kept` changes: a change in it that one after it takes back; null when there is none.
 */
export function takenBackLater(landings: readonly Landing[], kept: number): Landing | null {
  for (let at = kept; at < landings.length; at++) {
    const taken = landings[at]?.revert ? origin(landings, at) : -1
    if (taken !== -1 && taken < kept) return landings[taken] ?? null
  }
  return null
}

/** The same, of what is known now: a run may have stopped with something broken on its branch. */
export function brokenIn({ landings, convergence: { next } }: RunState, kept: number): Landing | null {
  const place = next?.do === 'escalate' ? (next.broken ?? Infinity) : Infinity
  return takenBackLater(landings, kept) ?? (place <= kept ? (landings[place - 1] ?? null) : null)
}

/**
 * How many changes are left when the branch goes back to before the change at this place, from 1, and to nothing
 * broken.
 */
export function soundBefore(landings: readonly Landing[], place: number): number {
  let kept = place - 1
  while (kept > 0 && takenBackLater(landings, kept) !== null) kept--
  return kept
}

/** The place, from 0, of the change that the revert at `at` takes back; a journal of older date names only its task. */
function origin(landings: readonly Landing[], at: number): number {
  const { task, reverts } = landings[at] ?? {}
  return landings.findLastIndex(
    (landing, place) =>
      place < at && (reverts === undefined ? landing.task === task && !landing.revert : landing.commit === reverts),
  )
}
