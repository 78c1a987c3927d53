/**
 * Runs the configured checks on the base before the first task, so that no task is blamed for a check that was already
 * red.
 */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace } from '../../model/work.ts'
import { placeId, stepId } from '../../model/work-id.ts'
import { checksFor } from '../policies/checks.ts'
import { record, type Proposal } from '../proposal.ts'
import { done, type Step } from '../step.ts'
import { inPlace, prepared, tracksTrees } from '../workspace-needs.ts'
import { observe, type CheckPlace } from './checking.ts'

/** No task can have this id. */
export const baseWorkspace = '~base'

/** Null when the baseline is taken, or not wanted. */
export function decideBaseline(state: RunState): Proposal | null {
  const { config, baseline, stage, wave, loop } = state
  const begun = wave > 0 || (loop !== null && loop.base !== null)
  if (
    baseline !== null
    || begun
    || (config.baseline ?? 'off') === 'off'
    || config.checks.length === 0
    || !tracksTrees(state)
  )
    return null
  if (stage === null || stage === 'report') return null
  const workspace = placeOf(state)
  if (workspace.status === 'not-yet') return workspace.proposal
  const place = workspace.outcome
  let { tree } = place
  const checks: Event<'baseline.taken'>['checks'] = []
  for (const [nth, check] of checksFor(state, null).entries()) {
    const seen = observe(state, check, placeId('baseline', nth + 1), place)
    if (seen.status === 'not-yet') return seen.proposal
    const {
      outcome: { failing = null, passing, fingerprint, verified = null },
      passed,
      flaky,
    } = seen.outcome
    tree ??= verified
    checks.push({
      check: check.name,
      passed,
      failing,
      ...(passing === undefined ? {} : { passing }),
      fingerprint,
      ...(flaky ? { flaky } : {}),
    })
  }
  return record({ type: 'baseline.taken', tree, checks })
}

/** In place, checks run in the user's checkout; otherwise in a verification workspace at the base commit of the run. */
function placeOf(state: RunState): Step<CheckPlace> {
  if (!inPlace(state))
    return done({ workspace: verificationWorkspace, commit: state.base.commit, tree: null, task: null })
  const workspace = prepared(state, stepId('baseline', 'prepare'), baseWorkspace)
  if (workspace.status === 'not-yet') return workspace
  return done({ workspace: baseWorkspace, tree: workspace.outcome.tree, task: null })
}
