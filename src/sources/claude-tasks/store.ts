/**
 * Uses a task list of Claude Code as a source of tasks. It changes the same files under the same locks, so that both
 * programs can work on the list at once.
 */
import type { SourceTask, SourceUpdate, TaskStore } from '../../model/source.ts'
import { inTurn } from '../../platform/in-turn.ts'
import { createHands } from '../hands.ts'
import { createChangeDetector } from '../change-detector.ts'
import { isOpen } from '../status-words.ts'
import { changed, nameOf, newContent, toTask, type TaskFile } from './task-file.ts'
import { openTaskList } from './task-list.ts'

export interface ClaudeTaskOptions {
  /** The owner of this run's tasks: tasks of other owners are left alone. */
  owner?: string
  /** How long to wait for a lock that Claude Code holds. */
  patienceMs?: number
}

/** `folder`: the folder of one list, as returned by `findTaskList`. */
export function createClaudeTaskStore(folder: string, { owner = '', patienceMs }: ClaudeTaskOptions = {}): TaskStore {
  const [list, serially, changes, hands] = [
    openTaskList(folder, patienceMs),
    inTurn(),
    createChangeDetector(),
    createHands(owner),
  ]
  const sent = new Map<string, SourceTask>()
  const ids = new Map<string, string>()

  const read = async (): Promise<TaskFile[]> => {
    const files = await list.read()
    ids.clear()
    // When two tasks have the same name, the first one keeps it.
    for (const file of files.toReversed()) ids.set(nameOf(file), file.id)
    return files
  }
  const alone = <T>(job: () => Promise<T>): Promise<T> => serially(() => list.alone(job))
  const edit = async (name: string, by: (file: TaskFile) => TaskFile['content']): Promise<TaskFile | null> => {
    if (!ids.has(name)) await read()
    const id = ids.get(name)
    const file = id === undefined ? null : await list.edit(id, by)
    const before = file === null ? undefined : sent.get(name)
    if (file !== null && before !== undefined) {
      // Record the store's own change, so that `list` does not report it as news.
      const { status, reason } = toTask(file, [])
      changes.expect({ ...before, status, reason })
    }
    return file
  }
  const isOthers = ({ id, owner: name, status }: TaskFile): boolean =>
    isOpen(status) && hands.areOthers(id, name, status === 'doing')
  /** Leaves closed tasks and tasks of other owners as they are. */
  const send = async (name: string, change: SourceUpdate): Promise<void> =>
    void (await edit(name, (file) => {
      if ((!isOpen(file.status) && !change.again) || isOthers(file)) return file.content
      if (change.status === 'doing') hands.take(file.id)
      return changed(file, change, change.status === 'doing' ? file.owner || owner : null)
    }))

  return {
    list: () =>
      serially(async () => {
        const files = await read()
        const names = new Map(files.map((file) => [file.id, nameOf(file)]))
        // Claude Code removes tasks that are done, so a dependency that is missing counts as done.
        const tasks = files.map((file) => ({
          ...toTask(
            file,
            file.blockedBy.flatMap((id) => names.get(id) ?? []),
          ),
          ...(isOthers(file) ? { taken: true as const } : {}),
        }))
        sent.clear()
        for (const task of tasks) sent.set(task.id, task)
        return changes.news(tasks)
      }),
    claim: (name, by) =>
      alone(() =>
        list.locked(async () => {
          const file = await edit(name, (before) =>
            isFree(before, by) ? changed(before, claiming, by) : before.content,
          )
          const isOurs = file?.status === 'doing' && file.owner === by
          if (file !== null && isOurs) hands.take(file.id, by)
          return isOurs
        }),
      ),
    update: (name, change) => alone(() => send(name, change)),
    close: (name, change) => alone(() => send(name, change)),
    add: (task, at) =>
      alone(async () => {
        await list.locked(async (held) => {
          await read()
          if (ids.has(task.id)) return
          const dependsOn = task.dependsOn.filter((name) => ids.has(name))
          const blockedBy = dependsOn.flatMap((name) => ids.get(name) ?? [])
          const file = await list.append(held, (id) => newContent(id, task, blockedBy), blockedBy)
          ids.set(task.id, file.id)
          const kept = toTask(file, dependsOn)
          sent.set(task.id, kept)
          changes.expect(kept)
          const { status, reason } = task
          if (status !== 'todo') await send(task.id, { status, reason, summary: null, files: [], at })
        })
      }),
    settle: () => serially(async () => {}),
  }
}

const claiming: Omit<SourceUpdate, 'at'> = { status: 'doing', reason: null, summary: null, files: [] }

/** A task in progress without an owner belongs to another worker. */
const isFree = ({ status, owner }: TaskFile, by: string): boolean =>
  status === 'todo' ? owner === '' || owner === by : status === 'doing' && owner === by
