/**
 * One attempt at a task: implement → inspect → check → (fix → inspect → check)* → test → verify → merge → check again → land.
 * Reads like the road it is: each step is skipped when the ledger shows it done, and the first open one is wanted.
 */
import type { AgentError } from '../../model/agent-error.ts'
import type { Failure } from '../../model/event.ts'
import type { CoderResult, SupervisorResult, TesterResult } from '../../model/results.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import type { InspectOutcome } from '../../model/work.ts'
import { ask, environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { checksFor } from '../policies/checks.ts'
import { judge } from '../policies/escalation.ts'
import { errorLine } from '../policies/error-line.ts'
import { nextRung, within } from '../policies/ladder.ts'
import { conclude, pause, record, want, type Proposal } from '../proposal.ts'
import { caughtEditing } from '../questions.ts'
import { newestSession } from '../sessions.ts'
import { unanswered } from '../unanswered.ts'
import { inPlace, prepared, tracksTrees } from '../workspace-needs.ts'
import { runChecks } from './checking.ts'
import { finishBlocked, finishDone } from './finish-task.ts'
import { integrate } from './integrate.ts'
import { iterate } from './iterate.ts'

/** Where an attempt stands: everything its steps need to know. */
export interface Standing {
  state: RunState
  task: TaskState
  attempt: AttemptState
  /** Prefix of its work ids, `T003/a2`. */
  id: string
  /** What its change is measured against, and the commit it is built on. */
  since: string | null
  base: string | null
  /** The tree its coder left, null where trees are not tracked. */
  tree: string | null
}

export function decideAttempt(state: RunState, task: TaskState, attempt: AttemptState, mayMerge: boolean): Proposal {
  const id = `${task.id}/a${attempt.n}`
  const workspace = prepared(state, `${id}/prepare`, task.id)
  if (workspace.status === 'not-yet') return workspace.proposal
  const since = attempt.base ?? (inPlace(state) ? workspace.tree : workspace.base)
  const standing: Standing = { state, task, attempt, id, since, base: attempt.base ?? workspace.base, tree: attempt.tree ?? workspace.tree }

  const coded = state.backlog === null ? code(standing) : iterate(standing)
  if ('proposal' in coded) return coded.proposal
  const inspected = inspect(standing, coded)
  if ('proposal' in inspected) return inspected.proposal
  const after: Standing = { ...standing, tree: inspected.tree }
  if (coded.unfinished) return fixOrFail(after, coded.unfinished, null)

  return check(after) ?? test(after) ?? verify(after) ?? integrate(after, mayMerge) ?? finishDone(after, coded.result, coded.id)
}

/** `unfinished`: the agent says itself that there is more to do, and whoever goes on finds what it left. */
export type Coded = { proposal: Proposal } | { result: CoderResult; id: string; unfinished?: Failure }

function code(standing: Standing): Coded {
  const { state, task, attempt, id, tree } = standing
  const answer = ask<CoderResult>(state, {
    id: attempt.round === 0 ? `${id}/implement` : `${id}/fix${attempt.round}`,
    role: 'coder', purpose: attempt.round === 0 ? 'implement' : 'fix',
    workspace: task.id, task: task.id, attempt: attempt.n, turn: task.index + attempt.n, tree,
    session: attempt.round > 0 && state.config.sessions === 'resume' ? newestSession(state, task.id, `${id}/implement`, `${id}/fix`) : null,
  })
  if (answer.status !== 'answered') return { proposal: unanswered(answer, failsAttempt(standing)) }
  if (answer.result.status !== 'complete') return { proposal: finishBlocked(standing, answer.result, answer.id) }
  return { result: answer.result, id: answer.id }
}

type Inspected = { proposal: Proposal } | { tree: string | null }

/** A task whose agent says "complete" and changed nothing is not done. */
function inspect(standing: Standing, { unfinished }: Exclude<Coded, { proposal: Proposal }>): Inspected {
  const { state, task, attempt, since } = standing
  if (!tracksTrees(state)) return { tree: null }
  const id = `${standing.id}/inspect${attempt.round}`
  const outcome = outcomeOf(state, id)
  if (!outcome) return { proposal: want({ kind: 'inspect', id, workspace: task.id, base: since, restore: null }) }
  if (outcome.kind === 'failure') return { proposal: pause(environment(outcome.message)) }
  const { tree, fileCount } = outcome as InspectOutcome
  if (unfinished || fileCount > 0 || (inPlace(state) && state.config.checks.length === 0)) return { tree }
  return { proposal: fail(standing, {
    kind: 'no-change', error: null, summary: 'the agent said "complete" but changed nothing', detail: '', fingerprint: 'no-change',
  }) }
}

function check(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree } = standing
  const checked = runChecks(state, checksFor(state, task), {
    prefix: `${id}/check${attempt.round}`, workspace: task.id, tree, records: attempt.checks,
    subject: { task: task.id, attempt: attempt.n, round: attempt.round, merged: false },
  })
  if (checked.status === 'not-yet') return checked.proposal
  return checked.status === 'red' ? fixOrFail(standing, checked.failure, null) : null
}

/** In a backlog checks alone decide on a task; its review comes when all are done. */
const judges = ({ config, backlog }: RunState): boolean => config.review && backlog === null

function test(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree, since } = standing
  if (!judges(state)) return null
  const answer = ask<TesterResult>(state, {
    id: `${id}/test${attempt.round}`, role: 'tester', purpose: 'test', workspace: task.id, task: task.id, attempt: attempt.n,
    turn: task.index + attempt.n, tree, base: since,
  })
  if (answer.status !== 'answered') return unanswered(answer, failsAttempt(standing))
  const caught = caughtEditing(state, answer.edited, 'tester', task.id, answer.id)
  if (caught.length > 0) return record(...caught)
  const failure = testFailure(answer.result)
  return failure && fixOrFail(standing, failure, null)
}

/** A tester's "passed" needs tests behind it, and none of them red. */
function testFailure({ status, total, failed, failures, summary }: TesterResult): Failure | null {
  const red = status !== 'passed' || failures.length > 0 || (failed ?? 0) > 0
  if (!red && total !== 0) return null
  return {
    kind: 'test', error: null,
    summary: red ? `the tester reports ${status === 'blocked' ? 'it is blocked' : 'failures'}: ${summary}` : 'the tester ran no test',
    detail: [summary, ...failures.map(({ name, file, error }) => `- ${name}${file ? ` (${file})` : ''}: ${error}`)].join('\n'),
    fingerprint: `test:${failures.map(({ name }) => name).toSorted().join(',')}`,
  }
}

function verify(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree, since } = standing
  if (!judges(state)) return null
  const { verdict } = attempt
  if (verdict) return weigh(standing)
  const answer = ask<SupervisorResult>(state, {
    id: `${id}/verify${attempt.round}`, role: 'supervisor', purpose: 'verify-task', workspace: task.id, task: task.id, attempt: attempt.n,
    turn: task.index + attempt.n, tree, base: since,
  })
  if (answer.status !== 'answered') return unanswered(answer, failsAttempt(standing))
  return record(
    ...caughtEditing(state, answer.edited, 'supervisor', task.id, answer.id),
    {
      type: 'verdict.given', subject: { kind: 'task', task: task.id, attempt: attempt.n, round: attempt.round },
      verdict: judge(answer.result, state.config.thresholds),
    },
  )
}

function weigh(standing: Standing): Proposal | null {
  const { task, attempt: { verdict } } = standing
  if (!verdict || verdict.approved) return null
  const { score, level, summary, feedback, issues, missing } = verdict
  if (level === 'abort') {
    return conclude({ status: 'failed', reason: `the supervisor aborted at ${task.id}: ${issues.length} issues (score ${score})` })
  }
  return fail(standing, {
    kind: 'verdict', error: null, summary: `the supervisor rejected it (score ${score}, ${level}): ${summary || feedback}`,
    detail: [
      `Score ${score} of 100 (${level}).`, summary, feedback,
      ...issues.map(({ severity, message }) => `- ${severity}: ${message}`), ...missing.map((what) => `- missing: ${what}`),
    ].filter((line) => line !== '').join('\n'),
    fingerprint: null,
  })
}

/** An agent that failed for good ends the attempt at once. */
export const failsAttempt = (standing: Standing) => ({ kind, message }: AgentError): Proposal =>
  fail(standing, { kind: 'agent', error: kind, summary: `${kind}: ${errorLine(message)}`, detail: message, fingerprint: `agent:${kind}` })

/** `moved`: a merge has put the workspace on a new base, and the fix starts from there. */
export function fixOrFail(standing: Standing, failure: Failure, moved: { base: string; tree: string } | null): Proposal {
  const { state, task, attempt, tree } = standing
  if (!within(attempt.round, state.config.limits.fixCycles)) return fail(standing, failure)
  return record({
    type: 'attempt.fixing', task: task.id, attempt: attempt.n, fix: attempt.round + 1, failure,
    base: moved?.base ?? attempt.base, tree: moved?.tree ?? tree,
  })
}

export function fail({ state, task, attempt }: Standing, failure: Failure): Proposal {
  return record({ type: 'attempt.failed', task: task.id, attempt: attempt.n, failure, next: nextRung(state, task, failure) })
}
