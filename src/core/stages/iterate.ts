/** The turn of a backlog's task: one agent that knows the whole task, and what its word on it leads to. */
import type { CoderResult, IteratorResult } from '../../model/results.ts'
import { ask } from '../answers.ts'
import { record } from '../proposal.ts'
import { newestSession } from '../sessions.ts'
import { unanswered } from '../unanswered.ts'
import { failsAttempt, type Coded, type Standing } from './attempt.ts'
import { finishBlocked } from './finish-task.ts'
import { taskRoute } from './task-route.ts'

export function iterate(standing: Standing): Coded {
  const { state, task, attempt, id, tree, workspace } = standing
  const stage = state.pipeline?.stages[state.loop?.stage ?? 0]
  const answer = ask(state, {
    id: attempt.round === 0 ? `${id}/iterate` : `${id}/iterate${attempt.round}`,
    purpose: 'iterate',
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    session:
      attempt.round > 0 && state.config.sessions === 'resume' ? newestSession(state, task.id, `${id}/iterate`) : null,
    parse: stage?.outputParse ?? [],
    route: taskRoute(state, task, attempt),
    objections: ({ task_id: named }) =>
      named === null || named === task.id ? [] : [`task_id is ${JSON.stringify(named)}, but the task is ${task.id}`],
  })
  if (answer.status !== 'answered') return { proposal: unanswered(answer, failsAttempt(standing)) }
  const { result } = answer
  switch (result.status) {
    case 'done':
      return { result: asCoder(result), id: answer.id }
    case 'skipped':
      return {
        proposal: record({
          type: 'task.finished',
          task: task.id,
          status: 'cancelled',
          reason: result.summary || 'skipped by the agent',
          block: null,
          evidence: [],
          commit: null,
          summary: null,
          by: 'agent',
        }),
      }
    case 'continue':
      return { result: asCoder(result), id: answer.id, unfinished: unfinished(result) }
    case 'blocked':
    case 'stop':
      return { proposal: finishBlocked(standing, asCoder(result), answer.id) }
  }
}

const unfinished = ({ summary }: IteratorResult) =>
  ({
    kind: 'unfinished',
    error: null,
    summary: 'the agent says that there is more to do',
    detail: summary,
    fingerprint: 'unfinished',
  }) as const

/** The same words as a coder's, so that the road goes on as for any task. */
function asCoder({
  status,
  summary,
  files,
  decisions,
  questions,
  blockers,
  new_tasks,
  patterns,
}: IteratorResult): CoderResult {
  const reason = blockers.join('; ') || summary || (status === 'stop' ? 'the agent asked to stop' : '')
  return {
    status: status === 'done' ? 'complete' : 'blocked',
    summary,
    files,
    decisions,
    questions,
    newTasks: new_tasks,
    patterns,
    blocker: status === 'done' ? null : { kind: 'external', reason },
  }
}
