/**
 * The gate: every check must be green on the final tree, and the goal must be verified. A high score never overrules a
 * red check. All checks run here: results of earlier processes are not reused.
 */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { gateId, stepId } from '../../model/work-id.ts'
import { ask } from '../questions/answers.ts'
import { concluded } from '../policies/audit.ts'
import { checksFor } from '../policies/checks.ts'
import { judge } from '../policies/escalation.ts'
import { finalChecks } from '../policies/final-checks.ts'
import { brokenOnBranch, isNewlyUnable } from '../policies/shared-cause.ts'
import { conclude, enter, pause, record, type Proposal } from '../proposal.ts'
import { caughtEditing } from '../questions/questions.ts'
import { failsRun, unanswered } from '../questions/unanswered.ts'
import { checkWorkspace, prepared } from '../tasks/workspace-needs.ts'
import { runChecks } from './attempt/checking.ts'

export function decideGate(state: RunState): Proposal {
  if (state.counts.todo + state.counts.doing > 0) return enter('execute')
  const { config } = state
  // Without checks and without a review, no workspace is needed.
  if (finalChecks(state).length === 0 && !config.review) return conclude({ status: 'completed', reason: null })
  return checkFinally(state) ?? verify(state) ?? conclude({ status: 'completed', reason: null })
}

const idOf = ({ gate: { round } }: RunState): string => gateId(round)

/** Runs every check on the final tree; null when all are green. */
export function checkFinally(state: RunState): Proposal | null {
  const id = idOf(state)
  const workspace = prepared(state, stepId(id, 'prepare'), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const { base, tree } = workspace.outcome
  const checked = runChecks(state, finalChecks(state), {
    prefix: stepId(id, 'check'),
    ...checkWorkspace(state, 'main', base),
    tree,
    records: finalRecords(state),
    subject: { task: null, attempt: 1, round: state.gate.round, merged: false },
  })
  if (checked.status === 'not-yet') return checked.proposal
  if (checked.status === 'done') return null
  const unable = finalRecords(state).find(({ usable, passed, cannotRun }) => usable && !passed && cannotRun)
  const check = checksFor(state, null).find(({ name }) => name === unable?.check)
  return unable && check && isNewlyUnable(state, check)
    ? pause(brokenOnBranch(state, check, unable))
    : conclude({ status: 'failed', reason: `the final checks are red: ${checked.failure.failure.summary}` })
}

/** In a loop stage, one list has the records of the passes and of the final checks. Rounds of passes count from 1. */
const finalRecords = ({ stage, loop, gate }: RunState): CheckRecord[] =>
  (stage === 'loop' && loop ? loop : gate).checks.filter(({ round }) => round === gate.round)

/** Ends a run without a gate: its changes are checked once more as a whole. */
export function concludeChecked(state: RunState): Proposal {
  const conclusion = concluded(state)
  const open = conclusion.status === 'completed' && isCheckedAtEnd(state) ? checkFinally(state) : null
  return open ?? conclude(conclusion)
}

/** Whether a run without a gate repeats its checks before it completes. */
export function isCheckedAtEnd(state: RunState): boolean {
  const { landings, backlog, loop, pipeline } = state
  const isWork = landings.length + (backlog?.finished ?? 0) + (loop?.verified ?? 0) > 0
  return (
    isWork && finalChecks(state).length > 0 && (pipeline === null || pipeline.stages.every((stage) => stage.checks))
  )
}

/** In place, evidence of tasks on exactly this tree is valid for an audit, so these checks are not repeated. */
export function provenAlready(
  state: RunState,
  tree: string | null,
  subject: Pick<CheckRecord, 'task' | 'attempt' | 'round' | 'merged'>,
): CheckRecord[] {
  if (tree === null) return []
  const evidence = state.order
    .flatMap((id) => state.tasks[id]?.evidence ?? [])
    .filter((entry) => entry.tree === tree && !entry.noWorse)
  return evidence.map(({ check: name, exitCode, durationMs }) => ({
    ...subject,
    check: name,
    passed: true,
    usable: true,
    note: null,
    exitCode,
    durationMs,
    tests: null,
    tree,
    tail: '',
    fingerprint: null,
  }))
}

function verify(state: RunState): Proposal | null {
  if (!state.config.review) return null
  const { verdict, round } = state.gate
  if (verdict) {
    return verdict.approved
      ? null
      : conclude({
          status: 'failed',
          reason: `the goal is not verified (score ${verdict.score}): ${verdict.feedback || verdict.summary}`,
        })
  }
  const id = idOf(state)
  const workspace = prepared(state, stepId(id, 'prepare'), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const { tree } = workspace.outcome
  const answer = ask(state, {
    id: stepId(id, 'verify'),
    purpose: 'verify-goal',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: round,
    tree,
    base: state.base.commit,
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('the goal could not be verified'))
  return record(...caughtEditing(state, answer.outcome.edited, 'supervisor', null, answer.outcome.id), {
    type: 'verdict.given',
    subject: { kind: 'goal', round },
    verdict: judge(answer.outcome.result, state.config.thresholds),
  })
}
