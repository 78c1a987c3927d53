/** The search for the change that broke a check: bisects the landings, reverts the culprit, proves the revert. */
import { LooperError } from '../../../model/error.ts'
import type { FlakyRuns, Landing, NextStep } from '../../../model/convergence.ts'
import type { Failure } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import { verificationWorkspace } from '../../../model/work.ts'
import { placeId, stepId } from '../../../model/work-id.ts'
import { isRegression, patientReruns } from '../../policies/audit.ts'
import { excuseFor } from '../../policies/baseline.ts'
import { checksFor, type PlannedCheck } from '../../policies/checks.ts'
import { within } from '../../policies/ladder.ts'
import { record, type Proposal } from '../../proposal.ts'
import { rollbackTargetBefore } from '../../tasks/rollback-target.ts'
import { done, failed, notYet, orPause, perform, type Failed, type NotYet, type Step } from '../../step.ts'
import { hasPasses } from '../../tasks/workspace-needs.ts'
import { observe, type CheckObservation } from '../attempt/observe-check.ts'
import { auditPrefix, checkBranchAt, commitAt, isNewlyFlaky, shownName } from './audit-check.ts'

/** Fails with the next step when no revert repairs the branch. */
export type Audited = NotYet | Failed<NextStep>

/**
 * A flaky check must not convict a change: the check is recorded as flaky, and the audit repeats it with more reruns.
 */
const doubted = ({ name }: PlannedCheck, flaky: FlakyRuns): Proposal =>
  record({ type: 'check.flaky', check: name, ...flaky, elsewhere: true })

/**
 * Finds the landing that turned the check red since it was last green. Null when no landing did: the check is now red
 * even where it was green.
 */
export function blame(state: RunState, check: PlannedCheck, id: string, red: CheckObservation): Audited | null {
  let good = state.convergence.proofs[check.name] ?? 0
  let bad = state.landings.length
  const then = checkBranchAt(state, check, stepId(id, 'bisect', good), good)
  if (then.status === 'not-yet') return then
  if (isNewlyFlaky(state, check, then.outcome)) return notYet(doubted(check, then.outcome.flaky))
  if (!then.outcome.passed) return null
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    const seen = checkBranchAt(state, check, stepId(id, 'bisect', middle), middle)
    if (seen.status === 'not-yet') return seen
    if (isNewlyFlaky(state, check, seen.outcome)) return notYet(doubted(check, seen.outcome.flaky))
    if (seen.outcome.passed) good = middle
    else bad = middle
  }
  const culprit = state.landings[bad - 1]
  if (!culprit) throw new LooperError('BUG_INVARIANT', `Check ${check.name} is red before any change has landed`)
  return takeBack(state, check, culprit, bad, red)
}

function takeBack(
  state: RunState,
  check: PlannedCheck,
  culprit: Landing,
  place: number,
  red: CheckObservation,
): Audited {
  const evidence = `${shownName(check)} passed before ${culprit.task} landed and fails since`
  // A rollback counts as a recovery, and the number of recoveries is limited.
  const mayGoBack =
    within(state.convergence.recoveries.REGRESSING ?? 0, state.config.limits.recoveries) && !hasPasses(state)
  const back = (before: number): Audited =>
    failed<NextStep>(
      mayGoBack
        ? {
            do: 'roll-back',
            why: 'culprit',
            evidence,
            to: commitAt(state, rollbackTargetBefore(state.landings, before)),
            checkpoint: null,
            tasks: [culprit.task],
          }
        : { do: 'escalate', from: 'REGRESSING', evidence, broken: place },
    )
  if (culprit.revert) return back(place)
  // Two steps of one landing. Their ids are related, so that git finds the first step from the second.
  const prefix = stepId(auditPrefix(state), 'revert')
  const landId = stepId(auditPrefix(state), 'land')
  const common = {
    kind: 'integrate',
    workspace: 'main',
    task: culprit.task,
    title: `Revert ${culprit.task}`,
    base: null,
  } as const
  const made = orPause(perform(state, { ...common, id: prefix, step: { kind: 'revert', commit: culprit.commit } }))
  if (made.status === 'not-yet') return made
  const merged = made.outcome
  if (merged.status === 'landed' && merged.commit !== null)
    return notYet(undone(culprit, check, evidence, red, merged.commit))
  if (merged.status !== 'merged') return back(place)
  const { commit, onto } = merged
  const proof = proven(state, check, prefix, merged)
  if (proof.status === 'not-yet') return proof
  if (proof.status === 'failed') return back(Math.min(place, proof.failure.lastGreen + 1))
  const landed = orPause(perform(state, { ...common, id: landId, step: { kind: 'land', commit, onto } }))
  if (landed.status === 'not-yet') return landed
  return landed.outcome.status === 'landed' ? notYet(undone(culprit, check, evidence, red, commit)) : back(place)
}

/**
 * Runs the broken check and all configured checks that were green on the branch without the culprit. On failure,
 * returns how many changes had landed when the failing check was last green.
 */
function proven(
  state: RunState,
  broken: PlannedCheck,
  prefix: string,
  { tree, commit }: { tree: string; commit: string },
): Step<'green', { lastGreen: number }> {
  const others = checksFor(state, null).filter((check) => check.name !== broken.name && isRegression(state, check))
  for (const [place, check] of [broken, ...others].entries()) {
    const there = { workspace: verificationWorkspace, tree, commit, task: null }
    const ran = observe(state, check, placeId(prefix, place + 1), there, patientReruns(state, check))
    if (ran.status === 'not-yet') return ran
    const seen = ran.outcome
    if (isNewlyFlaky(state, check, seen)) return notYet(doubted(check, seen.flaky))
    // A revert that leaves the broken check red has not helped, even when the check has an excuse.
    if (!seen.passed && seen.usable && (check === broken || excuseFor(state, null, check, seen.outcome) === null)) {
      // The search for the culprit saw the broken check green on the landing before it.
      return failed({ lastGreen: check === broken ? Infinity : (state.convergence.proofs[check.name] ?? 0) })
    }
  }
  return done('green')
}

function undone(
  { task, commit }: Landing,
  check: PlannedCheck,
  evidence: string,
  { outcome }: CheckObservation,
  revert: string,
): Proposal {
  const failure: Failure = {
    kind: 'regression',
    error: null,
    summary: evidence,
    fingerprint: `regression:${check.name}`,
    detail: check.hidden
      ? evidence
      : `${evidence}. Looper reverted your change. The output of ${check.name} with your change:\n${outcome.tail}`,
  }
  return record({ type: 'task.undone', task, why: 'culprit', failure, revert, reverts: commit })
}
