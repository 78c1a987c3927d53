/** Runs one check on one tree, a red one again, and says what the result means. */
import { causeOf, type CannotRun } from '../../../model/cannot-run.ts'
import type { FlakyRuns } from '../../../model/convergence.ts'
import type { RunState } from '../../../model/state.ts'
import type { CheckOutcome, FailureOutcome, JudgedChange, WorkspaceId } from '../../../model/work.ts'
import { rerunId } from '../../../model/work-id.ts'
import { judgeCheck, type Judged, type PlannedCheck } from '../../policies/checks.ts'
import { done, orPause, perform, type Step } from '../../step.ts'

/** Where a check runs, and for which task. */
export interface CheckTarget {
  workspace: WorkspaceId
  tree: string | null
  /** HEAD of the verification workspace; absent when the check runs in the workspace of an agent. */
  commit?: string
  /** Whether to list the tests that were executed. */
  names?: true
  task: string | null
  judges?: JudgedChange
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
  place: CheckTarget,
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
    if (judged.usable && !judged.passed && run < reruns && mayPassAgain(outcome)) {
      red.push(outcome)
      continue
    }
    const flaky = judged.passed && run > 0 ? { runs: run + 1, passed: 1, ...testsOf(red) } : null
    const note = flaky ? `flaky: passed in 1 of ${run + 1} runs on the same tree` : judged.note
    return done({ outcome, ...judged, note, flaky })
  }
}

/** A missing program stays missing; a port becomes free, and a network comes back. */
const mayPassAgain = ({ cannotRun }: CheckOutcome): boolean =>
  cannotRun === undefined || cannotRun.kind === 'port' || cannotRun.kind === 'network'

/**
 * The base was set up successfully before the first task. When the set-up of a candidate fails, or git refuses it, the
 * candidate is the cause.
 */
const isOwnFault = ({ code }: FailureOutcome, { task, commit }: CheckTarget): boolean =>
  task !== null && commit !== undefined && (code === 'WORKSPACE_SETUP' || code === 'WORKSPACE_CONTENT')

function unverifiable({ message, code }: FailureOutcome): CheckObservation {
  const cannotRun = code === 'WORKSPACE_SETUP' ? failedSetup(message) : undefined
  const outcome: CheckOutcome = {
    kind: 'check',
    exitCode: null,
    durationMs: 0,
    timedOut: false,
    started: false,
    tests: null,
    tail: message,
    fingerprint: cannotRun ? causeOf(cannotRun) : `${code}: ${message}`,
    ...(cannotRun ? { cannotRun } : {}),
  }
  const note = cannotRun ? `set-up failed: ${cannotRun.subject}` : 'the change cannot be verified'
  return { outcome, passed: false, usable: true, note, flaky: null }
}

const mostReason = 200

/** What the command said, without the sentence around it. */
function failedSetup(message: string): CannotRun {
  const said = message.replace(/^The set-up command `[^`]*` (?:failed with exit code \d+: )?/, '').replaceAll('\n', ' ')
  const subject = said.length <= mostReason ? said : `${said.slice(0, mostReason - 1)}…`
  return { kind: 'setup', subject, line: message }
}

/** The tests that failed in these runs; empty unless every run names them. */
function testsOf(runs: readonly CheckOutcome[]): { tests?: string[] } {
  const named = runs.flatMap(({ failing }) => (failing ? [failing] : []))
  return named.length === runs.length ? { tests: [...new Set(named.flat())] } : {}
}
