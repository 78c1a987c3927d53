/** Rules by which a split task counts through its parts. */
import type { RunState, TaskState } from './state.ts'

type Tasks = Pick<RunState, 'tasks'>

/** Whether tasks that depend on this one may start: it is done or cancelled, or all its parts are satisfied. */
export const isSatisfied = (state: Tasks, task: TaskState): boolean =>
  task.status === 'done' || task.status === 'cancelled' || areParts(state, task, isSatisfied)

/** Whether the task, or each of its parts, is done. */
export const isDone = (state: Tasks, task: TaskState): boolean =>
  task.status === 'done' || areParts(state, task, isDone)

const areParts = (state: Tasks, { status, children }: TaskState, are: typeof isDone): boolean =>
  status === 'split'
  && children.every((id) => {
    const part = state.tasks[id]
    return part !== undefined && are(state, part)
  })
