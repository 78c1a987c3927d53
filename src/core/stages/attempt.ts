/**
 * One attempt at a task: implement → inspect → merge → check the merged tree → (fix → …)* → test → verify → land.
 * Each step is skipped when the ledger shows it done, and the first open one is wanted.
 */
import type { AgentError } from '../../model/agent-error.ts'
import type { Failure } from '../../model/event.ts'
import type { CoderResult, TesterResult } from '../../model/results.ts'
import { scaffoldTask } from '../../model/task.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import type { TamperFinding } from '../../model/tamper.ts'
import { verificationWorkspace, type WorkspaceId } from '../../model/work.ts'
import { ask } from '../answers.ts'
import { acceptanceChecks } from '../policies/audit.ts'
import { checksFor, inheritedChecks, type PlannedCheck } from '../policies/checks.ts'
import { judge } from '../policies/escalation.ts'
import { errorLine } from '../policies/error-line.ts'
import { nextRung, within } from '../policies/ladder.ts'
import { conclude, record, type Proposal } from '../proposal.ts'
import { caughtEditing } from '../questions.ts'
import { findTask } from '../task-graph.ts'
import { newestSession } from '../sessions.ts'
import { unanswered } from '../unanswered.ts'
import { inPlace, placeOf, prepared } from '../workspace-needs.ts'
import { runChecks } from './checking.ts'
import { finishBlocked, finishDone } from './finish-task.ts'
import { inspect } from './inspecting.ts'
import { integrate } from './integrate.ts'
import { iterate } from './iterate.ts'
import { judges } from './judging.ts'
import { isRacing, type LandingQueue } from './landing-queue.ts'
import { prove } from './proving.ts'
import { reverse, reverses } from './reversing.ts'
import { guards } from './tampering.ts'
import { taskRoute } from './task-route.ts'

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
  /** What its change made of each file. */
  files?: Record<string, string | null>
  /** What each of them was before. */
  was?: Record<string, string | null>
  /** The commit it began with, before any merge moved it. */
  begun: string | null
  /** Where it happens. */
  workspace: WorkspaceId
  /** Files with tests that were not there before. */
  newTests?: string[]
  /** What the tamper guard saw, and whether more than new files concerns tests. */
  tamper?: TamperFinding[]
  touchesTests?: boolean
  /** Lines added and removed. */
  size?: number
}

/** Checked and judged; all that is left is to land it. */
export interface Ready {
  standing: Standing
  coded: { result: CoderResult; id: string }
}

export function decideAttempt(state: RunState, task: TaskState, attempt: AttemptState, queue: LandingQueue): Proposal {
  const at = approach(state, task, attempt)
  if ('proposal' in at) return at.proposal
  const { standing, coded } = at.ready
  return integrate(standing, queue) ?? finishDone(standing, coded.result, coded.id)
}

/** Up to where it could land. */
export function approach(
  state: RunState,
  task: TaskState,
  attempt: AttemptState,
): { proposal: Proposal } | { ready: Ready } {
  const id = `${task.id}/a${attempt.n}`
  const place = placeOf(task, attempt)
  const workspace = prepared(state, `${id}/prepare`, place)
  if (workspace.status === 'not-yet') return workspace
  const again = look(state, 'rested', id, place)
  if (again) return { proposal: again }
  const since = attempt.base ?? (inPlace(state) ? workspace.tree : workspace.base)
  const standing: Standing = {
    state,
    task,
    attempt,
    id,
    since,
    base: attempt.base ?? workspace.base,
    tree: attempt.tree ?? workspace.tree,
    begun: workspace.base,
    workspace: place,
  }

  const coded = state.backlog === null || isResolving(standing) ? code(standing) : iterate(standing)
  if ('proposal' in coded)
    return coded.proposal.work.length > 0 ? coded : { proposal: look(state, 'touched', id, place) ?? coded.proposal }
  const inspected = inspect(standing, coded.unfinished !== undefined)
  if ('proposal' in inspected) return inspected
  const after: Standing = { ...standing, ...inspected }
  if (coded.unfinished) return { proposal: fixOrFail(after, coded.unfinished, null) }
  const trial = trialOf(after)
  const proposal = isCheckedFirst(after)
    ? (check(after) ?? prove(after, trial) ?? reverse(after, trial) ?? review(after))
    : null
  return proposal ? { proposal } : { ready: { standing: after, coded } }
}

/**
 * Before it is merged: in place, where a merge lands at once; in a race, which the checks decide; and where there is
 * nothing to check.
 */
const isCheckedFirst = (standing: Standing): boolean =>
  inPlace(standing.state) || isRacing(standing.task) || checksOf(standing).length === 0

/**
 * In place, what a coder has left is known from what a person makes of it while the run rests if somebody looks before
 * and after.
 */
function look(state: RunState, since: 'touched' | 'rested', id: string, place: WorkspaceId): Proposal | null {
  const { accepted } = state.convergence
  if (!accepted?.[since] || !guards(state)) return null
  const looked = prepared(state, `${id}/look${accepted.looks ?? 0}`, place)
  return looked.status === 'not-yet' ? looked.proposal : null
}

/** `unfinished`: the agent says itself that there is more to do, and whoever goes on finds what it left. */
export type Coded = { proposal: Proposal } | { result: CoderResult; id: string; unfinished?: Failure }

function code(standing: Standing): Coded {
  const { state, task, attempt, id, tree, workspace } = standing
  const answer = ask(state, {
    id: attempt.round === 0 ? `${id}/implement` : `${id}/fix${attempt.round}`,
    purpose: purposeOf(standing),
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    route: taskRoute(state, task, attempt, 'coder'),
    session:
      attempt.round > 0 && state.config.sessions === 'resume'
        ? newestSession(state, task.id, `${id}/implement`, `${id}/fix`)
        : null,
  })
  if (answer.status !== 'answered') return { proposal: unanswered(answer, failsAttempt(standing)) }
  if (answer.result.status !== 'complete') return { proposal: finishBlocked(standing, answer.result, answer.id) }
  return { result: answer.result, id: answer.id }
}

const isResolving = ({ attempt }: Standing): boolean => attempt.failure?.kind === 'conflict'

function purposeOf(standing: Standing): 'scaffold' | 'implement' | 'resolve-conflict' | 'fix' {
  if (standing.attempt.round === 0) return standing.task.id === scaffoldTask ? 'scaffold' : 'implement'
  return isResolving(standing) ? 'resolve-conflict' : 'fix'
}

/** The task's own, and of what it is the last part of; after a conflict also what the other side was accepted by. */
export function checksOf({ state, task, attempt, begun }: Standing): PlannedCheck[] {
  const own = distinct([
    ...checksFor(state, task),
    ...(task.parent === null ? [] : inheritedChecks(state, task, attempt.startedAt)),
  ])
  if (!attempt.conflicted || own.length === 0) return own
  const since = state.landings.slice(state.landings.findIndex(({ commit }) => commit === begun) + 1)
  const others = since.flatMap(({ task: id }) => findTask(state, id) ?? []).filter(({ status }) => status === 'done')
  return distinct([...own, ...acceptanceChecks(state, others)])
}

const distinct = (checks: readonly PlannedCheck[]): PlannedCheck[] =>
  checks.filter(({ name }, place) => checks.findIndex((other) => other.name === name) === place)

const trialOf = ({ task, id, attempt }: Standing): string =>
  `${id}/${isRacing(task) ? 'trial' : 'check'}${attempt.round}`

/** Names of tests are kept only where they will be compared. */
export const namesFor = ({ state, touchesTests, newTests = [] }: Standing): { names?: true } =>
  (touchesTests && reverses(state)) || (newTests.length > 0 && state.config.proof === true) ? { names: true } : {}

/** In place the user's checkout is all there is; else a verification workspace. */
function placeOfChecks({ state, workspace, base }: Standing): { workspace: WorkspaceId; commit?: string } {
  return inPlace(state) || base === null ? { workspace } : { workspace: verificationWorkspace, commit: base }
}

function check(standing: Standing): Proposal | null {
  const { state, task, attempt, tree } = standing
  const checked = runChecks(state, checksOf(standing), {
    prefix: trialOf(standing),
    ...placeOfChecks(standing),
    tree,
    records: attempt.checks,
    ...namesFor(standing),
    subject: { task: task.id, attempt: attempt.n, round: attempt.round, merged: false },
  })
  if (checked.status === 'not-yet') return checked.proposal
  if (checked.status === 'green') return null
  if (checked.status === 'unproven') return fail(standing, checked.failure)
  // A resolution that breaks either side is none: the task begins anew on what has landed.
  return isResolving(standing)
    ? fail(standing, { ...checked.failure, kind: 'conflict' })
    : fixOrFail(standing, checked.failure, null)
}

/** Tester and supervisor; null when both are content, or neither is asked. */
export const review = (standing: Standing): Proposal | null => test(standing) ?? verify(standing)

function test(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree, since, workspace } = standing
  if (!judges(state)) return null
  const answer = ask(state, {
    id: `${id}/test${attempt.round}`,
    purpose: 'test',
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    base: since,
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
    kind: 'test',
    error: null,
    summary: red
      ? `the tester reports ${status === 'blocked' ? 'it is blocked' : 'failures'}: ${summary}`
      : 'the tester ran no test',
    detail: [
      summary,
      ...failures.map(({ name, file, error }) => `- ${name}${file ? ` (${file})` : ''}: ${error}`),
    ].join('\n'),
    fingerprint: `test:${failures
      .map(({ name }) => name)
      .toSorted()
      .join(',')}`,
  }
}

function verify(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree, since, workspace } = standing
  if (!judges(state)) return null
  const { verdict } = attempt
  if (verdict) return weigh(standing)
  const answer = ask(state, {
    id: `${id}/verify${attempt.round}`,
    purpose: 'verify-task',
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    base: since,
  })
  if (answer.status !== 'answered') return unanswered(answer, failsAttempt(standing))
  return record(...caughtEditing(state, answer.edited, 'supervisor', task.id, answer.id), {
    type: 'verdict.given',
    subject: { kind: 'task', task: task.id, attempt: attempt.n, round: attempt.round },
    verdict: judge(answer.result, state.config.thresholds),
  })
}

function weigh(standing: Standing): Proposal | null {
  const {
    task,
    attempt: { verdict },
  } = standing
  if (!verdict || verdict.approved) return null
  const { score, level, summary, feedback, issues, missing } = verdict
  if (level === 'abort') {
    return conclude({
      status: 'failed',
      reason: `the supervisor aborted at ${task.id}: ${issues.length} issues (score ${score})`,
    })
  }
  return fail(standing, {
    kind: 'verdict',
    error: null,
    summary: `the supervisor rejected it (score ${score}, ${level}): ${summary || feedback}`,
    detail: [
      `Score ${score} of 100 (${level}).`,
      summary,
      feedback,
      ...issues.map(({ severity, message }) => `- ${severity}: ${message}`),
      ...missing.map((what) => `- missing: ${what}`),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    fingerprint: null,
  })
}

/** An agent that failed for good ends the attempt at once. */
export const failsAttempt =
  (standing: Standing) =>
  ({ kind, message }: AgentError): Proposal =>
    fail(standing, {
      kind: 'agent',
      error: kind,
      summary: `${kind}: ${errorLine(message)}`,
      detail: message,
      fingerprint: `agent:${kind}`,
    })

/** `moved`: a merge has put the workspace on a new base, and the fix starts from there. */
export function fixOrFail(
  standing: Standing,
  failure: Failure,
  moved: { base: string; tree: string } | null,
): Proposal {
  const { state, task, attempt, tree } = standing
  if (!within(attempt.round, state.config.limits.fixCycles)) return fail(standing, failure)
  return record({
    type: 'attempt.fixing',
    task: task.id,
    attempt: attempt.n,
    fix: attempt.round + 1,
    failure,
    base: moved?.base ?? attempt.base,
    tree: moved?.tree ?? tree,
  })
}

export function fail({ state, task, attempt, tree }: Standing, failure: Failure): Proposal {
  const alone = (task.rivals?.length ?? 0) === 0
  const next = alone ? nextRung(state, task, failure) : 'none'
  return record({ type: 'attempt.failed', task: task.id, attempt: attempt.n, failure, next, tree })
}
