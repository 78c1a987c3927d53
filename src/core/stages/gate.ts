/** The gate: every check green on the final tree, and the goal verified. A high score never overrules a red check. */
import type { CheckRecord } from '../../model/event.ts'
import type { SupervisorResult } from '../../model/results.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { ask } from '../answers.ts'
import { checksFor, ownChecks, type PlannedCheck } from '../policies/checks.ts'
import { judge } from '../policies/escalation.ts'
import { conclude, enter, record, type Proposal } from '../proposal.ts'
import { caughtEditing } from '../questions.ts'
import { failsRun, unanswered } from '../unanswered.ts'
import { prepared } from '../workspace-needs.ts'
import { runChecks } from './checking.ts'

export function decideGate(state: RunState): Proposal {
  if (state.counts.todo + state.counts.doing > 0) return enter('execute')
  const { gate: { round }, config } = state
  // With nothing to check and nobody to ask, there is nothing to prepare for.
  if (config.checks.length === 0 && !config.review) return conclude({ status: 'completed', reason: null })
  const id = `gate/g${round}`
  const workspace = prepared(state, `${id}/prepare`, 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  return check(state, id, workspace.tree) ?? verify(state, id, workspace.tree) ?? conclude({ status: 'completed', reason: null })
}

function check(state: RunState, id: string, tree: string | null): Proposal | null {
  const subject = { task: null, attempt: 1, round: state.gate.round, merged: false }
  const judged = new Set(state.gate.checks.map((record) => record.check))
  const known = [...state.gate.checks, ...provenAlready(state, tree, subject).filter((record) => !judged.has(record.check))]
  const planned = [...checksFor(state, null), ...wholeChecks(state)]
  const checked = runChecks(state, planned, { prefix: `${id}/check`, workspace: 'main', tree, records: known, subject })
  if (checked.status === 'not-yet') return checked.proposal
  return checked.status === 'green' ? null : conclude({ status: 'failed', reason: `the final checks are red: ${checked.failure.summary}` })
}

/** What a split task was to be accepted by holds for its parts together, where all of them were done. */
function wholeChecks(state: RunState): PlannedCheck[] {
  const isDone = ({ status, children }: TaskState): boolean =>
    status === 'done' || (status === 'split' && children.flatMap((id) => state.tasks[id] ?? []).every(isDone))
  const wholes = state.order.flatMap((id) => state.tasks[id] ?? []).filter((task) => task.status === 'split' && isDone(task))
  return [...new Map(wholes.flatMap((task) => ownChecks(state, task)).map((check) => [check.name, check])).values()]
}

/** The last task to land was checked on exactly this tree: that evidence holds. */
export function provenAlready(
  state: RunState, tree: string | null, subject: Pick<CheckRecord, 'task' | 'attempt' | 'round' | 'merged'>,
): CheckRecord[] {
  if (tree === null) return []
  const evidence = state.order.flatMap((id) => state.tasks[id]?.evidence ?? []).filter((entry) => entry.tree === tree && !entry.noWorse)
  return evidence.map(({ check: name, exitCode, durationMs }) => ({
    ...subject, check: name, passed: true, usable: true, note: null, exitCode, durationMs, tests: null, tree, tail: '', fingerprint: null,
  }))
}

function verify(state: RunState, id: string, tree: string | null): Proposal | null {
  if (!state.config.review) return null
  const { verdict, round } = state.gate
  if (verdict) {
    return verdict.approved
      ? null
      : conclude({ status: 'failed', reason: `the goal is not verified (score ${verdict.score}): ${verdict.feedback || verdict.summary}` })
  }
  const answer = ask<SupervisorResult>(state, {
    id: `${id}/verify`, role: 'supervisor', purpose: 'verify-goal', workspace: 'main', task: null, attempt: 1, turn: round, tree,
    base: state.base.commit,
  })
  if (answer.status !== 'answered') return unanswered(answer, failsRun('the goal could not be verified'))
  return record(
    ...caughtEditing(state, answer.edited, 'supervisor', null, answer.id),
    { type: 'verdict.given', subject: { kind: 'goal', round }, verdict: judge(answer.result, state.config.thresholds) },
  )
}
