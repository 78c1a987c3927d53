/**
 * Finds rollback targets: never a commit that contains a change that was reverted later, because that change was
 * broken.
 */
import type { Landing } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'

/** Among the first `kept` landings, one that a later landing reverts; null when there is none. */
export function takenBackLater(landings: readonly Landing[], kept: number): Landing | null {
  for (let at = kept; at < landings.length; at++) {
    const taken = landings[at]?.revert ? origin(landings, at) : -1
    if (taken !== -1 && taken < kept) return landings[taken] ?? null
  }
  return null
}

/**
 * Also counts a broken landing that the run knows of but has not reverted: the run may have stopped before the revert.
 */
export function brokenIn({ landings, convergence: { next } }: RunState, kept: number): Landing | null {
  const position = next?.do === 'escalate' ? (next.broken ?? Infinity) : Infinity
  return takenBackLater(landings, kept) ?? (position <= kept ? (landings[position - 1] ?? null) : null)
}

/** How many landings stay when the branch goes back to before the landing at `place` (from 1), without a broken one. */
export function rollbackTargetBefore(landings: readonly Landing[], position: number): number {
  let kept = position - 1
  while (kept > 0 && takenBackLater(landings, kept) !== null) kept--
  return kept
}

/** The index (from 0) of the landing that the revert at `at` reverts. Old journals name only its task. */
function origin(landings: readonly Landing[], at: number): number {
  const { task, reverts } = landings[at] ?? {}
  return landings.findLastIndex(
    (landing, position) =>
      position < at && (reverts === undefined ? landing.task === task && !landing.revert : landing.commit === reverts),
  )
}
