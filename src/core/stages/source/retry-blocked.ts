/** Reopens a blocked task of a backlog when another task was done since, or after a cooldown. */
import type { RunState, TaskState } from '../../../model/state.ts'
import { compareIds } from '../../../model/source.ts'
import { msBetween } from '../../../model/time.ts'
import { record, type Proposal } from '../../proposal.ts'
import { openFor } from '../../questions/questions.ts'
import { taskOf } from '../../tasks/task-graph.ts'

const cooldownMs = 10 * 60_000

/** Each retry counts as an attempt. */
export function retryBlocked(state: RunState): Proposal | null {
  if (state.counts.blocked === 0) return null
  const chosen = state.order
    .map((id) => taskOf(state, id))
    .filter((task) => isRetriable(state, task))
    .toSorted((a, b) => a.priority - b.priority || compareIds(a.id, b.id))[0]
  if (!chosen) return null
  return record({ type: 'task.reopened', tasks: [chosen.id], why: hasNews(state, chosen) ? 'changed' : 'cooldown' })
}

/** A task that was blocked in its source is reopened only there. */
const isRetriable = (state: RunState, task: TaskState): boolean =>
  task.status === 'blocked'
  && task.held === undefined
  && task.waitingOn === 0
  && task.attemptsLeft > 0
  && openFor(state, task.id).length === 0
  && (hasNews(state, task) || (task.endedAt !== null && msBetween(task.endedAt, state.lastAt) >= cooldownMs))

/** Whether another task was done since this one was blocked. */
const hasNews = ({ backlog }: RunState, { doneBefore = 0 }: TaskState): boolean => (backlog?.finished ?? 0) > doneBefore
