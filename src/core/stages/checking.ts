/** Runs a list of checks one after another in one workspace and records what each of them proves. */
import type { FlakyRuns } from '../../model/convergence.ts'
import type { CheckRecord, Fact, Failure } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Evidence } from '../../model/task.ts'
import type { CheckOutcome, FailureOutcome, JudgedChange, WorkspaceId } from '../../model/work.ts'
import { placeId, rerunId } from '../../model/work-id.ts'
import { outcomeOf } from '../ledger.ts'
import { patientReruns } from '../policies/audit.ts'
import { excuseFor } from '../policies/baseline.ts'
import { judgeCheck, type Judged, type PlannedCheck } from '../policies/checks.ts'
import { record, type Proposal } from '../proposal.ts'
import { done, failed, notYet, orPause, perform, type Step } from '../step.ts'
import { findTask } from '../task-graph.ts'

/** Where a check runs, and for which task. */
export interface CheckPlace {
  workspace: WorkspaceId
  tree: string | null
  /** HEAD of the verification workspace; absent when the check runs in the workspace of an agent. */
  commit?: string
  /** Whether to list the tests that were executed. */
  names?: true
  task: string | null
  judges?: JudgedChange
}

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

const proves = ({ usable, passed, excuse }: CheckRecord): boolean => usable && (passed || excuse === 'no-worse')

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

export interface CheckObservation extends Judged {
  outcome: CheckOutcome
  flaky: FlakyRuns | null
}

/**
 * Runs one check on one tree. A red check is run again: it counts as red only if it stays red; otherwise it is flaky.
 */
export function observe(
  state: RunState,
  check: PlannedCheck,
  id: string,
  place: CheckPlace,
  reruns = state.config.checkReruns ?? 0,
): Step<CheckObservation> {
  const red: CheckOutcome[] = []
  for (let run = 0; ; run++) {
    const { name, run: command, timeoutMs } = check
    const work = { id: rerunId(id, run), name, run: command, timeoutMs, ...(run === 0 ? {} : { rerun: run }) }
    const step = perform(state, { kind: 'check', ...work, ...place })
    if (step.status === 'failed' && isOwnFault(step.failure, place)) return done(unverifiable(step.failure))
    const ran = orPause(step)
    if (ran.status === 'not-yet') return ran
    const { outcome } = ran
    const judged = judgeCheck(outcome, check.proposed)
    if (judged.usable && !judged.passed && run < reruns) {
      red.push(outcome)
      continue
    }
    const flaky = judged.passed && run > 0 ? { runs: run + 1, passed: 1, ...testsOf(red) } : null
    const note = flaky ? `flaky: passed in 1 of ${run + 1} runs on the same tree` : judged.note
    return done({ outcome, ...judged, note, flaky })
  }
}

/**
 * The base was set up successfully before the first task. When the set-up of a candidate fails, or git refuses it, the
 * candidate is the cause.
 */
const isOwnFault = ({ code }: FailureOutcome, { task, commit }: CheckPlace): boolean =>
  task !== null && commit !== undefined && (code === 'WORKSPACE_SETUP' || code === 'WORKSPACE_CONTENT')

function unverifiable({ message, code }: FailureOutcome): CheckObservation {
  const outcome: CheckOutcome = {
    kind: 'check',
    exitCode: null,
    durationMs: 0,
    timedOut: false,
    started: false,
    tests: null,
    tail: message,
    fingerprint: `${code}: ${message}`,
  }
  const note = code === 'WORKSPACE_SETUP' ? 'set-up failed' : 'the change cannot be verified'
  return { outcome, passed: false, usable: true, note, flaky: null }
}

/** The tests that failed in these runs; empty unless every run names them. */
function testsOf(runs: readonly CheckOutcome[]): { tests?: string[] } {
  const named = runs.flatMap(({ failing }) => (failing ? [failing] : []))
  return named.length === runs.length ? { tests: [...new Set(named.flat())] } : {}
}

function recordOf(state: RunState, check: PlannedCheck, seen: CheckObservation, run: CheckRun): Fact {
  const {
    outcome: { exitCode, durationMs, tests, tail, fingerprint },
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
    ...(flaky ? { flaky } : {}),
    ...(excuse ? { excuse } : {}),
    ...(check.hidden ? { hidden: true } : {}),
  }
}

/** The output of a held-out check would reveal to the agent what it checks. */
const heldOut =
  'A check that is held out failed: neither its name nor its output is shown. '
  + 'Look again at the criteria, and at what else your change affects.'

const excuses: Record<NonNullable<CheckRecord['excuse']>, string> = {
  flaky: 'flaky',
  'same-as-base': 'as before',
  'no-worse': 'no worse than before',
}

/**
 * The text omits the output of the check and does not ask to repair it: the next attempt must do the work, not change
 * the check.
 */
function unproven(red: readonly CheckRecord[]): Failure {
  const names = red.filter(({ hidden }) => hidden !== true).map(({ check }) => check)
  const who = [...names, ...(red.length > names.length ? ['a held-out check'] : [])].join(', ')
  return {
    kind: 'check',
    error: null,
    summary: `nothing proves it: ${who} stayed red, and ${red.length === 1 ? 'is' : 'are'} flaky`,
    detail:
      'Seen to pass and to fail on one and the same tree: that it fails says nothing of the work. Leave it as it is.',
    fingerprint: `unproven:${who}`,
  }
}

function failureOf(red: readonly CheckRecord[]): Failure {
  const outcome = ({ exitCode, note, excuse }: CheckRecord): string => {
    const end = note ?? (exitCode === null ? 'ended by a signal' : `exit ${exitCode}`)
    return excuse ? `${end}, ${excuses[excuse]}; nothing else proves it` : end
  }
  const where = red[0]?.merged ? ' after the merge' : ''
  const shown = red.filter(({ hidden }) => hidden !== true)
  const held = red.length > shown.length
  return {
    kind: 'check',
    error: null,
    summary:
      [
        ...shown.map((entry) => `${entry.check} failed (${outcome(entry)})`),
        ...(held ? ['a held-out check failed'] : []),
      ].join(', ') + where,
    detail: [
      ...shown.map((entry) => `$ ${entry.check} — ${outcome(entry)}\n${entry.tail}`),
      ...(held ? [heldOut] : []),
    ].join('\n\n'),
    fingerprint: red.map(({ fingerprint }) => fingerprint).join('+'),
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
