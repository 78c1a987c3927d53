/**
 * The backlog stage: tasks come from a source that people and agents change during the run. Before a task starts, the
 * source is polled and the task is claimed there. When no task is left, a reviewer searches for missing ones.
 */
import { LooperError } from '../../model/error.ts'
import type { BacklogState, RunState } from '../../model/state.ts'
import { nothing, pause, record, type Proposal } from '../proposal.ts'
import { findTask } from '../tasks/task-graph.ts'
import { scheduleTasks } from './execute.ts'
import { retryFailed, stuck } from './scheduling/remaining-tasks.ts'
import { nextReady, startTask, unready } from './scheduling/start-task.ts'
import { broken, poll, recordPoll } from './source/poll-source.ts'
import { writeBacklog } from './source/write-backlog.ts'
import { retryBlocked } from './source/retry-blocked.ts'
import { reviewBacklog } from './source/review-backlog.ts'

export const decideBacklog = (state: RunState): Proposal =>
  decideTasks(state, {
    empty: (backlog) => writeBacklog(state, backlog),
    done: (backlog) => reviewBacklog(state, backlog),
  })

/** The differences between a backlog that is the whole run and one that a pipeline stage works through. */
interface Ends {
  /** There is no task at all, or none that can be read. */
  empty(backlog: BacklogState): Proposal
  /** What must happen before the next task; null when nothing must. */
  rest?(): Proposal | null
  /** No task is left. */
  done(backlog: BacklogState): Proposal
}

export function decideTasks(state: RunState, ends: Ends): Proposal {
  const { backlog } = state
  if (!backlog) throw new LooperError('BUG_INVARIANT', `The stage ${state.stage} has no backlog`)
  return (
    recordPoll(state, backlog)
    ?? open(state, backlog, ends)
    ?? scheduleTasks(state, {
      start: () =>
        (state.active.length === 0 && nextReady(state) !== null ? ends.rest?.() : null) ?? startClaimed(state, backlog),
      idle: () => wrapUp(state, backlog, ends),
    })
  )
}

/** Polls until there is a task to work on. */
function open(state: RunState, backlog: BacklogState, { empty }: Ends): Proposal | null {
  if (state.plan.accepted) return null
  if (!backlog.fresh) return poll(state, backlog, null)
  return state.order.length === 0
    ? empty(backlog)
    : record({ type: 'plan.accepted', revision: backlog.polls, score: null, why: 'unreviewed' })
}

/** Starts the claimed task; otherwise polls the source to claim the next one. */
function startClaimed(state: RunState, backlog: BacklogState): Proposal | null {
  const next = nextReady(state)
  if (next === null) return null
  const { claimed } = backlog
  const mine = claimed === null ? undefined : findTask(state, claimed)
  if (mine?.status === 'todo' && mine.waitingOn === 0) return unready(state, mine.id) ?? startTask(state, mine.id)
  return unready(state, next) ?? poll(state, backlog, next)
}

/** No work is under way and no task can start. */
function wrapUp(state: RunState, backlog: BacklogState, { done }: Ends): Proposal {
  if (state.request !== null) return nothing
  if (!backlog.fresh) return poll(state, backlog, null)
  if (backlog.problems.length > 0) return pause(broken(state, backlog.problems))
  return retryFailed(state) ?? retryBlocked(state) ?? stuck(state) ?? done(backlog)
}
