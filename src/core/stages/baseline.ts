/**
 * Runs the configured checks on the base before the first task, so that no task is blamed for a check that was already
 * red.
 */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace } from '../../model/work.ts'
import { placeId, stepId } from '../../model/work-id.ts'
import { checksFor } from '../policies/checks.ts'
import { lastLines, obstacle } from '../policies/preflight.ts'
import { pause, record, type Proposal } from '../proposal.ts'
import { done, type Step } from '../step.ts'
import { hasBegun } from '../tasks/has-begun.ts'
import { inPlace, prepared, tracksTrees } from '../tasks/workspace-needs.ts'
import { observe, type CheckTarget } from './attempt/observe-check.ts'
import { repairFirst } from './repair-first.ts'

/** No task can have this id. */
export const baseWorkspace = '~base'

/** Null when the baseline is taken and allows the first coder to start, or when it is not wanted. */
export function decideBaseline(state: RunState): Proposal | null {
  const { config, baseline, stage, preflights = 0 } = state
  if (baseline !== null) return hasBegun(state) ? null : clearance(state)
  if (hasBegun(state) || (config.baseline ?? 'off') === 'off' || config.checks.length === 0 || !tracksTrees(state))
    return null
  if (stage === null || stage === 'report' || !isCheckedLater(state)) return null
  const workspace = checkTargetOf(state)
  if (workspace.status === 'not-yet') return workspace.proposal
  const place = workspace.outcome
  let { tree } = place
  const checks: Event<'baseline.taken'>['checks'] = []
  const prefix = preflights === 0 ? 'baseline' : stepId('baseline', 'again', preflights)
  let remembered = true
  for (const [nth, check] of checksFor(state, null).entries()) {
    const seen = observe(state, check, placeId(prefix, nth + 1), place)
    if (seen.status === 'not-yet') return seen.proposal
    const {
      outcome: { failing = null, passing, fingerprint, cannotRun, tail, verified = null },
      passed,
      flaky,
    } = seen.outcome
    tree ??= verified
    remembered &&= seen.outcome.outcome.remembered === true
    checks.push({
      check: check.name,
      passed,
      failing,
      ...(passing === undefined ? {} : { passing }),
      fingerprint,
      ...(passed ? {} : { tail: lastLines(tail, tailLines), ...(cannotRun ? { cannotRun } : {}) }),
      ...(flaky ? { flaky } : {}),
    })
  }
  return record({ type: 'baseline.taken', tree, checks, ...(remembered ? { remembered } : {}) })
}

const tailLines = 30

/** A pipeline may have no stage that uses the checks. */
const isCheckedLater = ({ pipeline }: RunState): boolean =>
  pipeline === null || pipeline.stages.some(({ checks, completion }) => checks || completion.kind === 'tasks-empty')

/** What must happen before the first coder: a person clears an obstacle, or repairs are planned. */
function clearance(state: RunState): Proposal | null {
  if (state.stage === null || state.stage === 'report') return null
  const reason = obstacle(state)
  return reason ? pause(reason) : repairFirst(state)
}

/** In place, checks run in the user's checkout; otherwise in a verification workspace at the base commit of the run. */
function checkTargetOf(state: RunState): Step<CheckTarget> {
  if (!inPlace(state))
    return done({ workspace: verificationWorkspace, commit: state.base.commit, tree: null, task: null })
  const workspace = prepared(state, stepId('baseline', 'prepare'), baseWorkspace)
  if (workspace.status === 'not-yet') return workspace
  return done({ workspace: baseWorkspace, tree: workspace.outcome.tree, task: null })
}
