/** A shared task source: updates are stored at once, and tasks that another actor has started stay unchanged. */
import type { SourceTask, SourceUpdate, TaskStore } from '../model/source.ts'
import { createHands } from '../sources/hands.ts'
import { inTurn } from '../platform/in-turn.ts'
import { createChangeDetector } from '../sources/change-detector.ts'
import { fieldsOf, fromSource, toSource, type FileTask } from '../sources/todo-file/task.ts'
import { reach, type Access, type SharedBacklog } from './shared-backlog.ts'

const owner = 'looper/001-virtual'

export function createSharedStore({ backlog, pause, onClaim }: Access): TaskStore {
  const serially = inTurn()
  const changes = createChangeDetector()
  const hands = createHands(owner)

  const taskNamed = (id: string): FileTask | undefined => backlog.tasks.find((task) => task['id'] === id)
  const isOthers = (task: FileTask): boolean =>
    hands.areOthers(
      String(task['id']),
      typeof task['assignee'] === 'string' ? task['assignee'] : '',
      toSource(task).status === 'doing',
    )
  const isClosed = (task: FileTask): boolean => ['done', 'cancelled'].includes(toSource(task).status)

  const set = (task: FileTask, change: SourceUpdate): void => {
    const next = { ...task, ...fieldsOf(task, change), assignee: change.status === 'doing' ? owner : '' }
    backlog.tasks = backlog.tasks.map((other) => (other === task ? next : other))
    backlog.version++
    if (change.status === 'doing') hands.take(String(task['id']))
    changes.expect(toSource(next))
  }
  const send = async (id: string, change: SourceUpdate): Promise<void> => {
    await pause()
    reach(backlog)
    const task = taskNamed(id)
    if (task && (!isClosed(task) || change.again) && !isOthers(task)) set(task, change)
    await pause()
  }
  const claim = (id: string, at: string): boolean => {
    const task = taskNamed(id)
    if (!task || isClosed(task) || isOthers(task)) return false
    set(task, { status: 'doing', reason: null, summary: null, files: [], at })
    return true
  }

  return {
    list: () =>
      serially(async () => {
        await pause()
        reach(backlog)
        const theirs = new Set(backlog.tasks.filter((task) => !isClosed(task) && isOthers(task)).map(({ id }) => id))
        return changes.news(
          sharedTasks(backlog).map((task) => (theirs.has(task.id) ? { ...task, taken: true as const } : task)),
        )
      }),
    claim: (id, _by, at) =>
      serially(async () => {
        await pause()
        reach(backlog)
        const isMine = claim(id, at)
        onClaim(id, isMine)
        await pause()
        return isMine
      }),
    update: (id, change) => serially(() => send(id, change)),
    close: (id, change) => serially(() => send(id, change)),
    add: (task, at) =>
      serially(async () => {
        await pause()
        reach(backlog)
        if (taskNamed(task.id)) return
        const made: FileTask = fromSource({ ...task, status: 'todo' }, at)
        backlog.tasks = [...backlog.tasks, made]
        set(made, { status: task.status, reason: task.reason, summary: null, files: [], at })
        await pause()
      }),
    settle: () => serially(async () => {}),
  }
}

/** A dependency on a missing task is dropped. */
export function sharedTasks({ tasks }: SharedBacklog): SourceTask[] {
  const ids = new Set(tasks.map(({ id }) => id))
  return tasks.map(toSource).map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => ids.has(id)) }))
}
