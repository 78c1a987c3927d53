/** Runs a list of checks one after another in one workspace and records what each of them proves. */
import type { CheckRecord, Fact, Failure } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import type { Evidence } from '../../../model/task.ts'
import type { WorkspaceId } from '../../../model/work.ts'
import { placeId } from '../../../model/work-id.ts'
import { outcomeOf } from '../../work/ledger.ts'
import { patientReruns } from '../../policies/audit.ts'
import { excuseFor } from '../../policies/baseline.ts'
import type { PlannedCheck } from '../../policies/checks.ts'
import { record, type Proposal } from '../../proposal.ts'
import { done, failed, notYet, type Step } from '../../step.ts'
import { findTask } from '../../tasks/task-graph.ts'
import { observe, type CheckObservation } from './observe-check.ts'
import { failureOf, unproven } from './red-checks.ts'

export interface CheckRun {
  /** Work ids are `<prefix>/<place>`. */
  prefix: string
  workspace: WorkspaceId
  tree: string | null
  commit?: string
  names?: true
  subject: Pick<CheckRecord, 'task' | 'attempt' | 'round' | 'merged'>
  /** Records of checks that already ran. */
  records: readonly CheckRecord[]
}

/** `unproven`: all red checks are flaky, and no other check proves the work. There is nothing to fix. */
export interface Red {
  kind: 'red' | 'unproven'
  failure: Failure
}

/** Runs every check even when an earlier one is red, so that the fix turn sees all failures at once. */
export function runChecks(state: RunState, planned: readonly PlannedCheck[], run: CheckRun): Step<'green', Red> {
  const isShaky = planned.every(({ name }) => Object.hasOwn(state.flaky, name))
  for (const [place, check] of planned.entries()) {
    if (run.records.some((known) => known.check === check.name && known.merged === run.subject.merged)) continue
    return notYet(next(state, check, placeId(run.prefix, place + 1), run, isShaky))
  }
  const red = blamed(run.records.filter(({ merged }) => merged === run.subject.merged))
  if (red.length === 0) return done('green')
  const trusted = red.filter(({ excuse }) => excuse !== 'flaky')
  return failed(
    trusted.length > 0 ? { kind: 'red', failure: failureOf(trusted) } : { kind: 'unproven', failure: unproven(red) },
  )
}

/** The red checks that count. An excuse is valid only when another check proves the work. */
export function blamed(records: readonly CheckRecord[]): CheckRecord[] {
  const red = records.filter(({ usable, passed }) => usable && !passed)
  const without = red.filter(({ excuse }) => excuse === undefined)
  return without.length > 0 || records.some(proves) ? without : red
}

export const proves = ({ usable, passed, excuse }: CheckRecord): boolean => usable && (passed || excuse === 'no-worse')

/** When all checks are flaky, they get more reruns before the work counts as unproven. */
function next(state: RunState, check: PlannedCheck, id: string, run: CheckRun, isShaky: boolean): Proposal {
  const {
    workspace,
    tree,
    commit,
    names,
    subject: { task },
  } = run
  const place = { workspace, tree, task, ...(commit === undefined ? {} : { commit }), ...(names ? { names } : {}) }
  const seen = observe(state, check, id, place, isShaky ? patientReruns(state, check) : undefined)
  return seen.status === 'not-yet' ? seen.proposal : record(recordOf(state, check, seen.outcome, run))
}

function recordOf(state: RunState, check: PlannedCheck, seen: CheckObservation, run: CheckRun): Fact {
  const {
    outcome: { exitCode, durationMs, tests, tail, fingerprint, exact, cannotRun },
    passed,
    usable,
    note,
    flaky,
  } = seen
  const task = run.subject.task === null ? null : (findTask(state, run.subject.task) ?? null)
  const excuse = passed || !usable ? null : excuseFor(state, task, check, seen.outcome)
  return {
    type: 'check.finished',
    ...run.subject,
    check: check.name,
    passed,
    usable,
    note,
    exitCode,
    durationMs,
    tests,
    tree: run.tree,
    tail,
    fingerprint,
    ...(exact !== undefined && !passed ? { exact } : {}),
    ...(cannotRun && !passed ? { cannotRun } : {}),
    ...(flaky ? { flaky } : {}),
    ...(excuse ? { excuse } : {}),
    ...(check.hidden ? { hidden: true } : {}),
  }
}

/** Checks that Looper saw pass on the tree that landed. Null: all records are on the same tree. */
export function evidenceOf(records: readonly CheckRecord[], landed: string | null): Evidence[] {
  const last = landed === null ? records : records.filter(({ tree }) => tree === landed)
  return last.filter(proves).map(({ check, exitCode, tree, durationMs, flaky, passed, hidden }) => {
    const evidence: Evidence = { check, exitCode: exitCode ?? 0, tree, durationMs }
    if (flaky) evidence.flaky = true
    if (!passed) evidence.noWorse = true
    if (hidden) evidence.hidden = true
    return evidence
  })
}

/**
 * Names of the tests that these checks executed in their first run; null when a check that ran tests does not list
 * them.
 */
export function namesOf(state: RunState, prefix: string, checks: number): string[] | null {
  const names: string[] = []
  let isListed = false
  for (let place = 1; place <= checks; place++) {
    const outcome = outcomeOf(state, placeId(prefix, place))
    if (outcome?.kind !== 'check') return null
    if (outcome.executed === undefined && (outcome.tests ?? 0) > 0) return null
    isListed ||= outcome.executed !== undefined
    names.push(...(outcome.executed ?? []))
  }
  return isListed ? names : null
}
