/**
 * One attempt at a task: implement → inspect → merge → check the merged tree → (fix → …)* → test → verify → land.
 * Each step is skipped when the ledger shows it done, and the first open one is wanted.
 */
import type { Purpose } from '../../model/role.ts'
import type { CoderResult } from '../../model/results.ts'
import { scaffoldTask } from '../../model/task.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import { verificationWorkspace, type WorkspaceId } from '../../model/work.ts'
import { ask } from '../answers.ts'
import type { Proposal } from '../proposal.ts'
import { newestSession } from '../sessions.ts'
import { unanswered } from '../unanswered.ts'
import { inPlace, placeOf, prepared } from '../workspace-needs.ts'
import { runChecks } from './checking.ts'
import { finishBlocked, finishDone } from './finish-task.ts'
import { inspect } from './inspecting.ts'
import { integrate } from './integrate.ts'
import { iterate, type Coded } from './iterate.ts'
import { isRacing, type LandingQueue } from './landing-queue.ts'
import { prove } from './proving.ts'
import { reverse } from './reversing.ts'
import { review } from './reviewing.ts'
import { checksOf, fail, failsAttempt, fixOrFail, namesFor, type Standing } from './standing.ts'
import { guards } from './tampering.ts'
import { taskRoute } from './task-route.ts'

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

function code(standing: Standing): Coded {
  const { state, task, attempt, id, tree, workspace } = standing
  const answer = ask<CoderResult>(state, {
    id: attempt.round === 0 ? `${id}/implement` : `${id}/fix${attempt.round}`,
    role: 'coder',
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

function purposeOf(standing: Standing): Purpose {
  if (standing.attempt.round === 0) return standing.task.id === scaffoldTask ? 'scaffold' : 'implement'
  return isResolving(standing) ? 'resolve-conflict' : 'fix'
}

const trialOf = ({ task, id, attempt }: Standing): string =>
  `${id}/${isRacing(task) ? 'trial' : 'check'}${attempt.round}`

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
