/** Runs a list of checks one after the other in one workspace and records what each of them proved. */
import type { CheckRecord, Fact, Failure } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Evidence } from '../../model/task.ts'
import type { CheckOutcome, WorkspaceId } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { judgeCheck, type PlannedCheck } from '../policies/checks.ts'
import { pause, record, want, type Proposal } from '../proposal.ts'

export interface CheckRun {
  /** Work ids are `<prefix>/<place>`. */
  prefix: string
  workspace: WorkspaceId
  tree: string | null
  subject: Pick<CheckRecord, 'task' | 'attempt' | 'round' | 'merged'>
  /** What was judged already. */
  records: readonly CheckRecord[]
}

export type Checked = { status: 'not-yet'; proposal: Proposal } | { status: 'green' } | { status: 'red'; failure: Failure }

/** Every check runs even when an earlier one is red: whoever mends it should see all of it at once. */
export function runChecks(state: RunState, planned: readonly PlannedCheck[], run: CheckRun): Checked {
  for (const [place, check] of planned.entries()) {
    if (run.records.some((known) => known.check === check.name && known.merged === run.subject.merged)) continue
    return { status: 'not-yet', proposal: next(state, check, `${run.prefix}/${place + 1}`, run) }
  }
  const red = run.records.filter(({ merged, passed, usable }) => merged === run.subject.merged && usable && !passed)
  return red.length === 0 ? { status: 'green' } : { status: 'red', failure: failureOf(red) }
}

function next(state: RunState, check: PlannedCheck, id: string, run: CheckRun): Proposal {
  const outcome = outcomeOf(state, id)
  if (!outcome) {
    const { workspace, tree } = run
    return want({
      kind: 'check', id, workspace, task: run.subject.task, name: check.name, run: check.run, timeoutMs: check.timeoutMs, tree,
    })
  }
  if (outcome.kind === 'failure') return pause(environment(outcome.message))
  return record(recordOf(check, outcome as CheckOutcome, run))
}

function recordOf(check: PlannedCheck, outcome: CheckOutcome, run: CheckRun): Fact {
  const { exitCode, durationMs, tests, tail, fingerprint } = outcome
  return {
    type: 'check.finished', ...run.subject, check: check.name, ...judgeCheck(outcome, check.proposed),
    exitCode, durationMs, tests, tree: run.tree, tail, fingerprint,
  }
}

function failureOf(red: readonly CheckRecord[]): Failure {
  const outcome = ({ exitCode, note }: CheckRecord): string => note ?? (exitCode === null ? 'ended by a signal' : `exit ${exitCode}`)
  const where = red[0]?.merged ? ' after the merge' : ''
  return {
    kind: 'check', error: null,
    summary: `${red.map((entry) => `${entry.check} failed (${outcome(entry)})`).join(', ')}${where}`,
    detail: red.map((entry) => `$ ${entry.check} — ${outcome(entry)}\n${entry.tail}`).join('\n\n'),
    fingerprint: red.map(({ fingerprint }) => fingerprint).join('+'),
  }
}

/** What landed was seen green by Looper: the check on the merge where there was one, else on the task's own tree. */
export function evidenceOf(records: readonly CheckRecord[]): Evidence[] {
  const merged = records.filter((entry) => entry.merged)
  const last = merged.length > 0 ? merged : records
  return last.filter(({ passed, usable }) => passed && usable)
    .map(({ check, exitCode, tree, durationMs }) => ({ check, exitCode: exitCode ?? 0, tree, durationMs }))
}
