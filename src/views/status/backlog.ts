/** The tasks of a backlog by status, as `looper ls` shows them. */
import { compareIds, type SourceStatus, type SourceTask } from '../../model/source.ts'
import { align } from '../text/columns.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts, paintedMark } from '../facts/progress.ts'

/** All fields except the text for coders. */
export type BacklogTask = Omit<SourceTask, 'description'>

/** Running tasks first, then the next ones. */
export const backlogStatuses: readonly SourceStatus[] = ['doing', 'todo', 'blocked', 'done', 'cancelled']

/** Sorts by status; waiting tasks by priority, the rest by id. `only` selects one status. */
export function sortBacklog(tasks: readonly BacklogTask[], only: SourceStatus | null = null): BacklogTask[] {
  const groups = new Map(backlogStatuses.map((status): [SourceStatus, BacklogTask[]] => [status, []]))
  for (const task of tasks) if (only === null || task.status === only) groups.get(task.status)?.push(task)
  return [...groups].flatMap(([status, group]) =>
    group.toSorted(
      (a, b) => (status === 'todo' || status === 'blocked' ? a.priority - b.priority : 0) || compareIds(a.id, b.id),
    ),
  )
}

/** Expects `tasks` in the order of `sortBacklog`. */
export function backlogText(tasks: readonly BacklogTask[], paint: Paint = noPaint): string {
  if (tasks.length === 0) return 'No tasks.\n'
  const lines = align(tasks.map((task) => [plain(task.id, 30), plain(task.title, 70), paint.faint(taskFacts(task))]))
  const blocks = tasks.map(({ status, reason }, index) => {
    const line = `${paintedMark(status, paint)} ${lines[index]}`
    return reason === null ? line : `${line}\n    ${paint.faint(plain(reason, 110))}`
  })
  return `${blocks.join('\n')}\n\n${paint.faint(countsText(tasks))}\n`
}

const taskFacts = ({ status, priority, dependsOn }: BacklogTask): string => {
  const waits = status === 'todo' || status === 'blocked'
  return facts(
    waits && `priority ${priority}`,
    waits && dependsOn.length > 0 && `after ${plain(dependsOn.join(', '), 60)}`,
  )
}

function countsText(tasks: readonly BacklogTask[]): string {
  const counts = backlogStatuses.map((status) => ({
    status,
    count: tasks.filter((task) => task.status === status).length,
  }))
  return facts(...counts.map(({ status, count }) => count > 0 && `${count} ${status}`))
}
