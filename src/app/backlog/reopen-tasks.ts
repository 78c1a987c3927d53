/** Reopens tasks in the backlog file that a discarded run had closed and whose changes are now lost. */
import { join } from 'node:path'
import { firstNames } from '../../model/and-more.ts'
import { isObject } from '../../model/object.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { parseBacklog } from '../../sources/todo-file/inspect.ts'
import { readBacklog } from '../../sources/todo-file/read-file.ts'
import { createTodoFile } from '../../sources/todo-file/store.ts'
import { statusOf } from '../../sources/todo-file/status.ts'
import { toSource, type FileTask } from '../../sources/todo-file/task.ts'
import { isInUsersBranch } from '../../workspace/landing/run-leftovers.ts'
import { sourceOf, workflowOf } from '../prepare/workflow.ts'

/**
 * Returns a text for the user; empty when no closed task is lost. Never throws, because the run is already discarded.
 */
export async function reopenTasks(root: string, state: RunState): Promise<string> {
  const lost = await lostTasks(root, state)
  if (lost.length === 0) return ''
  const { backlog } = state.config
  try {
    if (sourceOf(workflowOf(state), state.config) !== 'todo-file') return stillDone('The source of the tasks', lost)
    const untouched = lost.filter(isAsLeft(join(root, backlog), backlog))
    const store = createTodoFile(join(root, backlog), backlog)
    const at = new Date().toISOString()
    for (const { id } of untouched)
      await store.update(id, { status: 'todo', reason: null, summary: null, files: [], at })
    await store.settle()
    const left = lost.filter((task) => !untouched.includes(task))
    const reopened = untouched.length === 0 ? '' : ` Reopened in ${backlog}: ${named(untouched)}.`
    return `${reopened}${stillDone(backlog, left)}`
  } catch {
    return stillDone(backlog, lost)
  }
}

/** Tasks that the run completed and whose commits are in no branch of the user. */
async function lostTasks(root: string, { applied, backlog, order, tasks }: RunState): Promise<TaskState[]> {
  if (backlog === null || applied !== null) return []
  const lost: TaskState[] = []
  for (const task of order.flatMap((id) => tasks[id] ?? [])) {
    if (task.status === 'done' && task.commit !== null && !(await isInUsersBranch(root, task.commit))) lost.push(task)
  }
  return lost
}

/** Whether the task is as the run left it. A task that was edited or done again since then must not be reopened. */
function isAsLeft(path: string, name: string): (task: TaskState) => boolean {
  const read = readBacklog(path, name)
  const tasks: readonly unknown[] = read === null ? [] : parseBacklog(read.source, name).tasks
  const there = new Map<unknown, FileTask>(tasks.flatMap((task) => (isObject(task) ? [[task['id'], task]] : [])))
  return (mine) => {
    const task: FileTask | undefined = there.get(mine.id)
    if (task === undefined || statusOf(task['status']) !== 'done' || task['updated_at'] !== mine.endedAt) return false
    const words = toSource(task)
    return (['title', 'description', 'dependsOn', 'criteria', 'type', 'priority'] as const).every(
      (key) => JSON.stringify(words[key]) === JSON.stringify(mine[key]),
    )
  }
}

const named = (tasks: readonly TaskState[]): string =>
  firstNames(
    tasks.map(({ id }) => id),
    8,
  )

const stillDone = (where: string, tasks: readonly TaskState[]): string =>
  tasks.length === 0 ? '' : ` ${where} still lists ${named(tasks)} as done: reopen the tasks that you want done again.`
