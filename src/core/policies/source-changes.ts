/** Turns changes in the task source into events. To record the events twice has no further effect. */
import type { Fact } from '../../model/event.ts'
import type { SourceStatus, SourceTask } from '../../model/source.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { TaskEdit, TaskSpec, TaskStatus } from '../../model/task.ts'
import type { SyncOutcome } from '../../model/work.ts'
import { findTask } from '../tasks/task-graph.ts'
import { taskBlocked, taskCancelled, taskDoneInSource } from '../tasks/task-ends.ts'

type Changes = Pick<SyncOutcome, 'tasks' | 'removed' | 'reworded'>

export function sourceChanges(state: RunState, { tasks, removed, reworded = [] }: Changes): Fact[] {
  return [
    ...tasks.flatMap((task) => {
      const known = findTask(state, task.id)
      return known ? [...edited(known, task), ...(reworded.includes(task.id) ? [] : moved(known, task))] : [added(task)]
    }),
    ...removed.flatMap((id) => {
      const known = findTask(state, id)
      return known && !isClosed(known) ? [taskCancelled(id, 'it is no longer in the backlog', 'source')] : []
    }),
  ]
}

const added = (task: SourceTask): Fact => {
  const { status, reason } = task
  return {
    type: 'task.added',
    task: specOf(task),
    origin: 'source',
    ...(status === 'todo' ? {} : { was: { status, reason } }),
  }
}

export const specOf = ({
  id,
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  repairs = [],
  allows = [],
  byAgent,
}: SourceTask): TaskSpec => ({
  id,
  title,
  description,
  complexity: 'medium',
  type,
  dependsOn,
  criteria,
  checks: [],
  files,
  priority,
  parent: null,
  depth: 0,
  ...(repairs.length > 0 ? { repairs } : {}),
  ...(allows.length > 0 ? { allows } : {}),
  ...(byAgent ? { byAgent } : {}),
})

/** The status of a task in the vocabulary of a source. */
export const sourceStatus = (status: TaskStatus): SourceStatus => {
  switch (status) {
    case 'failed':
      return 'blocked'
    case 'split':
      return 'doing'
    default:
      return status
  }
}

function edited(known: TaskState, task: SourceTask): Fact[] {
  const edit = editOf(known, task)
  return Object.keys(edit).length === 0 ? [] : [{ type: 'task.edited', task: known.id, edit }]
}

const editable = ['title', 'description', 'type', 'dependsOn', 'criteria', 'files', 'priority'] as const

function editOf(known: TaskState, task: SourceTask): TaskEdit {
  const changes = editable.filter((key) => JSON.stringify(known[key]) !== JSON.stringify(task[key]))
  // A source without these fields does not clear the values that the run gave the task.
  const fields = (['repairs', 'allows'] as const).filter(
    (key) =>
      (task[key] || known.origin === 'source') && JSON.stringify(known[key] ?? []) !== JSON.stringify(task[key] ?? []),
  )
  return Object.fromEntries([...changes.map((key) => [key, task[key]]), ...fields.map((key) => [key, task[key] ?? []])])
}

/** A status that a person sets in the source counts. A task that is under way in this run is not started again. */
function moved(known: TaskState, { status, reason, taken }: SourceTask): Fact[] {
  if (status === sourceStatus(known.status)) return []
  switch (status) {
    case 'done':
      return [taskDoneInSource(known.id, 'marked as done in its source')]
    case 'cancelled':
      return [taskCancelled(known.id, reason ?? 'cancelled in its source', 'source')]
    case 'blocked':
      return [taskBlocked(known.id, reason ?? 'marked as blocked in its source', 'external', { by: 'source' })]
    case 'todo':
    case 'doing':
      // The other worker that took the task still has it.
      if (taken && known.held === 'taken') return []
      return known.status === 'todo' || known.status === 'doing'
        ? []
        : [{ type: 'task.reopened', tasks: [known.id], why: 'source' }]
  }
}

const isClosed = ({ status }: TaskState): boolean => status === 'done' || status === 'cancelled'
