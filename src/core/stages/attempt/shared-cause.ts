/**
 * Whether a red check is the fault of the attempt. Before an agent is asked to fix what it may not have broken, the
 * check runs on the run branch as well, which costs no turn. If it is red there, no fix of a task can help.
 */
import { failureKey, isRed } from '../../../model/check-record.ts'
import type { CheckRecord, Failure } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import { verificationWorkspace, type CheckOutcome } from '../../../model/work.ts'
import { placeId, stepId } from '../../../model/work-id.ts'
import { patientReruns } from '../../policies/audit.ts'
import { excuseFor } from '../../policies/baseline.ts'
import { checksFor, type PlannedCheck } from '../../policies/checks.ts'
import { tasksWith, whenShared } from '../../policies/same-failure.ts'
import { brokenOnBranch, isNewlyUnable, sharedByTasks } from '../../policies/shared-cause.ts'
import { nothing, pause, type Proposal } from '../../proposal.ts'
import { inPlace } from '../../tasks/workspace-needs.ts'
import { observe } from './observe-check.ts'
import type { Standing } from './standing.ts'
import { tipOf } from './landing-queue.ts'

/** Null when the failure is the attempt's own. */
export function sharedCause(standing: Standing, failure: Failure, records: readonly CheckRecord[]): Proposal | null {
  const { state, task } = standing
  const suspect = suspectIn(state, records)
  if (suspect === null) return null
  const { check, record } = suspect
  const probed = isProbed(standing, failure, record) ? probe(standing, suspect) : null
  if (probed?.status === 'not-yet') return probed.proposal
  if (probed && !probed.outcome.passed && isNew(state, check, probed.outcome.outcome))
    return pause(brokenOnBranch(state, check, probed.outcome.outcome))
  if (record.cannotRun === undefined) return sharedFailure(standing, suspect)
  const tasks = tasksWith(state, task.id, failureKey(record))
  if (tasks.length > 0) return pause(sharedByTasks(state, check, record, tasks))
  return whenShared(state, task, record)?.next === 'wait' ? nothing : null
}

/** The same failure in several tasks, of a check that passed before. */
function sharedFailure({ state, task }: Standing, { check, record }: Suspect): Proposal | null {
  if (record.fingerprint === null || !Object.hasOwn(state.convergence.proofs, check.name)) return null
  const shared = whenShared(state, task, record)
  if (shared === null) return null
  return shared.next === 'wait' ? nothing : pause(sharedByTasks(state, check, record, shared.tasks))
}

interface Suspect {
  check: PlannedCheck
  record: CheckRecord
}

/** The red check to ask about: one that cannot run, or the first one. Only configured checks run on every tree. */
function suspectIn(state: RunState, records: readonly CheckRecord[]): Suspect | null {
  const red = records.filter(isRed)
  const record = red.find(({ cannotRun }) => cannotRun !== undefined) ?? red[0]
  const check = record && checksFor(state, null).find(({ name }) => name === record.check)
  return check && !Object.hasOwn(state.flaky, check.name) ? { check, record } : null
}

/**
 * A check that cannot run is asked about at once; any other that was green before, when the same failure shows a second
 * time.
 */
function isProbed(standing: Standing, failure: Failure, record: CheckRecord): boolean {
  const { state } = standing
  if (inPlace(state)) return false
  const isProven = Object.hasOwn(state.convergence.proofs, record.check)
  return record.cannotRun !== undefined || (isProven && isSeenBefore(standing, failure, record))
}

function isSeenBefore({ state, task, attempt }: Standing, { fingerprint }: Failure, record: CheckRecord): boolean {
  if (fingerprint === null) return false
  if (tasksWith(state, task.id, failureKey(record)).length > 0) return true
  const isSame = (other: Pick<Failure, 'fingerprint'> | null | undefined): boolean => other?.fingerprint === fingerprint
  return (
    isSame(attempt.failure)
    || isSame(task.failures.at(-1))
    || state.convergence.failures.some(isSame)
    || state.active.some((id) => id !== task.id && isSame(state.tasks[id]?.attempt?.failure))
  )
}

/** A failure that shows again and again is asked about once in an attempt. */
function probe({ state, id, attempt }: Standing, { check, record }: Suspect): ReturnType<typeof observe> {
  const place = { workspace: verificationWorkspace, commit: tipOf(state), tree: null, task: null }
  const own = stepId(id, 'probe', record.cannotRun ? attempt.round + 1 : '')
  return observe(state, check, placeId(own, 1), place, patientReruns(state, check))
}

/** Whether the check was not red in this way before the first task. */
function isNew(state: RunState, check: PlannedCheck, outcome: CheckOutcome): boolean {
  if (outcome.cannotRun) return isNewlyUnable(state, check)
  if (state.baseline?.checks.find((known) => known.check === check.name)?.passed === false) return false
  return excuseFor(state, null, check, outcome) === null
}
