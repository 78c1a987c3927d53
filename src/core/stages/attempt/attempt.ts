/**
 * One attempt at a task: implement → inspect → merge → check the merged tree → (fix → …)* → test → verify → land.
 * Each step that the ledger shows as done is skipped; the first open one is wanted.
 */
import { scaffoldTask } from '../../../model/task.ts'
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import { attemptId, stepId } from '../../../model/work-id.ts'
import { ask } from '../../questions/answers.ts'
import type { Proposal } from '../../proposal.ts'
import { newestAgentSession } from '../../work/agent-sessions.ts'
import { done, notYet, type Step } from '../../step.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { checkWorkspace, inPlace, workspaceOf, prepared } from '../../tasks/workspace-needs.ts'
import { idsOf } from './attempt-ids.ts'
import { runChecks } from './checking.ts'
import { finishBlocked, finishDone, finishUnneeded } from './finish-task.ts'
import { inspect } from './inspecting.ts'
import { integrate } from './integrate.ts'
import { iterate, type Coded } from './iterate.ts'
import { isRacing, type LandingQueue } from './landing-queue.ts'
import { prove } from './proving.ts'
import { reverse } from './reversing.ts'
import { review } from './reviewing.ts'
import { sharedCause } from './shared-cause.ts'
import { checksOf, fail, failsAttempt, fixOrFail, namesFor, type Standing } from './standing.ts'
import { guards } from './tampering.ts'
import { taskRoute } from './task-route.ts'

/** An attempt that is checked and judged, and only has to land. */
export interface Ready {
  standing: Standing
  coded: Coded
}

export function decideAttempt(state: RunState, task: TaskState, attempt: AttemptState, queue: LandingQueue): Proposal {
  const at = approach(state, task, attempt)
  if (at.status === 'not-yet') return at.proposal
  const { standing, coded } = at.outcome
  return integrate(standing, queue) ?? finishDone(standing, coded.result, coded.id)
}

/** All steps before the landing. */
export function approach(state: RunState, task: TaskState, attempt: AttemptState): Step<Ready> {
  const ids = idsOf(task, attempt)
  const workspaceId = workspaceOf(task, attempt)
  const workspace = prepared(state, ids.prepare, workspaceId, { task: task.id })
  if (workspace.status === 'not-yet') return workspace
  const again = probe(state, task, attempt, 'rested')
  if (again) return notYet(again)
  const { base, tree } = workspace.outcome
  const since = attempt.base ?? (inPlace(state) ? tree : base)
  const standing: Standing = {
    state,
    task,
    attempt,
    id: ids.attempt,
    ids,
    since,
    base: attempt.base ?? base,
    tree: attempt.tree ?? tree,
    begun: base,
    workspace: workspaceId,
  }

  const turn = state.backlog === null || isResolving(standing) ? code(standing) : iterate(standing)
  if (turn.status === 'not-yet')
    return turn.proposal.work.length > 0 ? turn : notYet(probe(state, task, attempt, 'touched') ?? turn.proposal)
  const coded = turn.outcome
  const inspected = inspect(standing, coded.unfinished !== undefined)
  if (inspected.status === 'not-yet') return inspected
  const after = inspected.outcome
  if (coded.unfinished) return notYet(fixOrFail(after, coded.unfinished, null))
  if (after.unchanged && task.id === scaffoldTask) return notYet(finishUnneeded(after, coded.result, coded.id))
  const proposal = isCheckedFirst(after) ? (check(after) ?? judge(after, trialOf(after))) : null
  return proposal ? notYet(proposal) : done({ standing: after, coded })
}

/**
 * Checks before the merge: in place, where a merge lands at once; in a race, which the checks decide; and when there is
 * nothing to check.
 */
const isCheckedFirst = (standing: Standing): boolean =>
  inPlace(standing.state) || isRacing(standing.task) || checksOf(standing).length === 0

const judge = (standing: Standing, trial: string): Proposal | null =>
  prove(standing, trial) ?? reverse(standing, trial) ?? review(standing)

/**
 * In place, inspects the checkout before and after a pause of the run. Only so can a coder's edits be distinguished
 * from edits that a person makes during the pause.
 */
function probe(state: RunState, task: TaskState, attempt: AttemptState, since: 'touched' | 'rested'): Proposal | null {
  const { accepted } = state.convergence
  if (!accepted?.[since] || !guards(state)) return null
  const id = stepId(attemptId(task.id, attempt.n), 'look', accepted.inspections ?? 0)
  const seen = prepared(state, id, workspaceOf(task, attempt), { task: task.id })
  return seen.status === 'not-yet' ? seen.proposal : null
}

function code(standing: Standing): Step<Coded> {
  const { state, task, attempt, ids, tree, workspace } = standing
  const answer = ask(state, {
    id: ids.code,
    purpose: purposeOf(standing),
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    route: taskRoute(state, task, attempt, 'coder'),
    session:
      attempt.round > 0 && state.config.sessions === 'resume'
        ? newestAgentSession(state, task.id, attempt.n, 'coder')
        : null,
  })
  if (answer.status !== 'done') return notYet(unanswered(answer, failsAttempt(standing)))
  const { result, id: turn } = answer.outcome
  return result.status === 'complete' ? done({ result, id: turn }) : notYet(finishBlocked(standing, result, turn))
}

const isResolving = ({ attempt }: Standing): boolean => attempt.failure?.kind === 'conflict'

function purposeOf(standing: Standing): 'scaffold' | 'implement' | 'resolve-conflict' | 'fix' {
  if (standing.attempt.round === 0) return standing.task.id === scaffoldTask ? 'scaffold' : 'implement'
  return isResolving(standing) ? 'resolve-conflict' : 'fix'
}

const trialOf = ({ task, id, attempt }: Standing): string =>
  stepId(id, isRacing(task) ? 'trial' : 'check', attempt.round)

function check(standing: Standing): Proposal | null {
  const { state, task, attempt, tree, base, workspace } = standing
  const checked = runChecks(state, checksOf(standing), {
    prefix: trialOf(standing),
    ...checkWorkspace(state, workspace, base),
    tree,
    records: attempt.checks,
    ...namesFor(standing),
    subject: { task: task.id, attempt: attempt.n, round: attempt.round, merged: false },
  })
  if (checked.status === 'not-yet') return checked.proposal
  if (checked.status === 'done') return null
  const { kind, failure } = checked.failure
  if (kind === 'unproven') return fail(standing, failure)
  const shared = sharedCause(
    standing,
    failure,
    attempt.checks.filter(({ merged }) => !merged),
  )
  if (shared) return shared
  // A conflict resolution with red checks breaks one of the two sides. The task starts again from what has landed.
  return isResolving(standing) ? fail(standing, { ...failure, kind: 'conflict' }) : fixOrFail(standing, failure, null)
}
