/** A check of an audit: it runs on the run branch as it was after a number of landings. */
import type { FlakyRuns } from '../../../model/convergence.ts'
import type { RunState } from '../../../model/state.ts'
import { verificationWorkspace } from '../../../model/work.ts'
import { auditId } from '../../../model/work-id.ts'
import { patientReruns } from '../../policies/audit.ts'
import type { PlannedCheck } from '../../policies/checks.ts'
import { brokenOnBranch, isNewlyUnable } from '../../policies/shared-cause.ts'
import { pause } from '../../proposal.ts'
import { notYet, type Step } from '../../step.ts'
import { observe, type CheckObservation } from '../attempt/observe-check.ts'

/**
 * Each audit of a wave has its own ids: a revert changes the branch, and a check found flaky repeats the whole audit.
 */
export function auditPrefix({ wave, landings, convergence: { doubts } }: RunState): string {
  return auditId(wave, landings.length, doubts)
}

export const isNewlyFlaky = (
  state: RunState,
  { name }: PlannedCheck,
  seen: CheckObservation,
): seen is CheckObservation & { flaky: FlakyRuns } => seen.flaky !== null && !Object.hasOwn(state.flaky, name)

export const shownName = ({ hidden, name }: PlannedCheck): string => (hidden ? 'a held-out check' : name)

/** Runs a check on the branch as it was after `landed` landings. */
export function checkBranchAt(
  state: RunState,
  check: PlannedCheck,
  id: string,
  landed: number,
): Step<CheckObservation> {
  const place = { workspace: verificationWorkspace, commit: commitAt(state, landed), tree: null, task: null }
  const seen = observe(state, check, id, place, patientReruns(state, check))
  // A check that cannot run says nothing about a change.
  const { outcome } = seen.status === 'done' ? seen.outcome : {}
  return outcome?.cannotRun && isNewlyUnable(state, check) ? notYet(pause(brokenOnBranch(state, check, outcome))) : seen
}

export const commitAt = ({ landings, base }: RunState, landed: number): string =>
  landings[landed - 1]?.commit ?? base.commit
