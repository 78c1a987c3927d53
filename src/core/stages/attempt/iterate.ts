/** The turn of a backlog task: one agent does the whole task; its reported status decides what follows. */
import type { Failure } from '../../../model/event.ts'
import type { CoderResult, IteratorResult } from '../../../model/results.ts'
import { ask } from '../../questions/answers.ts'
import { record } from '../../proposal.ts'
import { newestAgentSession } from '../../work/agent-sessions.ts'
import { done, notYet, type Step } from '../../step.ts'
import { unanswered } from '../../questions/unanswered.ts'
import { finishBlocked } from './finish-task.ts'
import { failsAttempt, type Standing } from './standing.ts'
import { taskRoute } from './task-route.ts'
import { taskCancelled } from '../../tasks/task-ends.ts'

/** `unfinished`: the agent reports that there is more to do. The next turn continues with what it left. */
export interface Coded {
  result: CoderResult
  id: string
  unfinished?: Failure
}

export function iterate(standing: Standing): Step<Coded> {
  const { state, task, attempt, ids, tree, workspace } = standing
  const stage = state.pipeline?.stages[state.loop?.stage ?? 0]
  const answer = ask(state, {
    id: ids.iterate,
    purpose: 'iterate',
    workspace,
    task: task.id,
    attempt: attempt.n,
    turn: task.index + attempt.n,
    tree,
    session:
      attempt.round > 0 && state.config.sessions === 'resume'
        ? newestAgentSession(state, task.id, attempt.n, 'iterator')
        : null,
    parse: stage?.outputParse ?? [],
    route: taskRoute(state, task, attempt),
    objections: ({ task_id: named }) =>
      named === null || named === task.id ? [] : [`task_id is ${JSON.stringify(named)}, but the task is ${task.id}`],
  })
  if (answer.status !== 'done') return notYet(unanswered(answer, failsAttempt(standing)))
  const { result, id: turn } = answer.outcome
  switch (result.status) {
    case 'done':
      return done({ result: asCoder(result), id: turn })
    case 'skipped':
      return notYet(record(taskCancelled(task.id, result.summary || 'skipped by the agent', 'agent')))
    case 'continue':
      return done({ result: asCoder(result), id: turn, unfinished: unfinished(result) })
    case 'blocked':
    case 'stop':
      return notYet(finishBlocked(standing, asCoder(result), turn))
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

/** Converts the answer to a coder's result, so that the later steps are the same for all tasks. */
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
