/** How `task.finished` changes a task. */
import type { Event } from '../../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import { setBlocked, setStatus } from '../tasks/task-graph.ts'
import { endWork } from './history.ts'

const mostRecent = 8

export function finishTask(state: RunState, event: Event<'task.finished'>): void {
  const { task: id, status, reason, block, evidence, commit, summary, at } = event
  const task = state.tasks[id]
  if (!task) return
  if (task.attempt?.proof && status === 'done') keepProof(task, task.attempt)
  endWork(state, task, at)
  if (task.race && task.attempt?.n === task.race.winner) task.race.fixes = task.attempt.round
  setFields(task, {
    reason,
    evidence,
    commit,
    summary,
    endedAt: at,
    verdict: task.attempt?.verdict ?? task.verdict,
    attempt: null,
    next: null,
  })
  if (event.unchanged) task.unchanged = true
  else delete task.unchanged
  if (event.question === undefined) delete task.question
  else task.question = event.question
  delete task.racers
  delete task.begun
  markHeld(state, task, event)
  if (status === 'done') state.recent = [...state.recent.filter((each) => each !== id), id].slice(-mostRecent)
  drop(state, id)
  if (status === 'blocked') setBlocked(state, task, block ?? 'external')
  else setStatus(state, task, status)
}

/** When a person skips a task that another worker has taken, the task stays taken in its source. */
function markHeld({ backlog }: RunState, task: TaskState, { status, by, taken }: Event<'task.finished'>): void {
  if (status !== 'cancelled' || by === 'source' || task.held !== 'taken') delete task.held
  if (status !== 'blocked') return
  task.doneBefore = backlog?.finished ?? 0
  if (by === 'source') task.held = taken ? 'taken' : 'blocked'
}

function keepProof(task: TaskState, { proof, unproven }: AttemptState): void {
  delete task.unproven
  setFields(task, { proof, ...(unproven === undefined ? {} : { unproven }) })
}
