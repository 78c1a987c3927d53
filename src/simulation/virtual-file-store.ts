/** A twin of the backlog file's store: the same deferred updates, with a file in memory. */
import { LooperError } from '../model/error.ts'
import type { TaskStore } from '../model/source.ts'
import { setFields } from '../model/set-fields.ts'
import { inTurn } from '../platform/in-turn.ts'
import { createPending, type Tasks } from '../sources/todo-file/pending.ts'
import { fieldsOf, fromSource, toSource, type FileTask } from '../sources/todo-file/task.ts'
import { reach, type Access } from './shared-backlog.ts'

interface FileSnapshot extends Tasks {
  list: readonly FileTask[]
  version: number
}

const open: readonly string[] = ['todo', 'doing', 'blocked']

export function createFileStore({ backlog, pause, write, onClaim, onReplaced }: Access): Required<TaskStore> {
  const pending = createPending()
  const serially = inTurn()
  let seen: FileSnapshot | null = null
  let news = true
  /** The version at the last `list`. */
  let listedVersion: number | null = null

  const refresh = (): FileSnapshot => {
    reach(backlog)
    if (seen?.version === backlog.version) return seen
    if (backlog.condition === 'broken') throw broken(['tasks[0] is no task'])
    const next = takeSnapshot()
    pending.reconcile(next)
    news = true
    seen = next
    return next
  }
  const takeSnapshot = (): FileSnapshot => ({
    version: backlog.version,
    list: backlog.tasks,
    root: backlog.root,
    indexes: new Map(backlog.tasks.map(({ id }, index) => [String(id), index])),
  })
  const known = (): FileSnapshot => seen ?? refresh()
  const inFile = ({ list, indexes }: FileSnapshot, id: string): FileTask | null => list[indexes.get(id) ?? -1] ?? null
  const taskNamed = (snapshot: FileSnapshot, id: string): FileTask | null => {
    const task = inFile(snapshot, id)
    return task === null ? (pending.added().get(id) ?? null) : pending.over(task, id)
  }
  const send: TaskStore['update'] = async (id, change) => {
    const snapshot = known()
    const task = taskNamed(snapshot, id)
    if (task !== null) pending.put(inFile(snapshot, id) ?? task, id, fieldsOf(task, change))
  }
  const keep = (snapshot: FileSnapshot): void => {
    write()
    const { tasks, added, root } = pending.edits(snapshot)
    backlog.tasks = [...backlog.tasks.map((task, index) => ({ ...task, ...tasks.get(index) })), ...added]
    backlog.root = { ...backlog.root, ...root }
    backlog.version++
    seen = takeSnapshot()
  }

  return {
    list: () =>
      serially(async () => {
        await pause()
        listedVersion = backlog.version
        const snapshot = refresh()
        requireWhole(snapshot)
        if (!news) return null
        news = false
        return [
          ...snapshot.list.map((task) => pending.over(task, String(task['id']))),
          ...pending.added().values(),
        ].map(toSource)
      }),
    claim: (id, _by, at) =>
      serially(async () => {
        await pause()
        const task = taskNamed(refresh(), id)
        const isMine = task !== null && open.includes(toSource(task).status)
        if (isMine) await send(id, { status: 'doing', reason: null, summary: null, files: [], at })
        onClaim(id, isMine)
        await pause()
        return isMine
      }),
    update: (id, change) => serially(() => send(id, change)),
    close: (id, change) => serially(() => send(id, change)),
    add: (task, at) => serially(async () => pending.add(task.id, fromSource(task, at), known())),
    documents: () => [],
    isComplete: () => typeof seen?.root['completed'] === 'object',
    complete: (run, at) => serially(async () => pending.putRoot({ completed: { at, run } }, known())),
    replace: (tasks, at, why) =>
      serially(async () => {
        await pause()
        reach(backlog)
        const isOld = why === 'repair' && backlog.version === listedVersion
        // Another actor has written or fixed the file meanwhile, or is editing it.
        const isOthers =
          backlog.condition === 'broken' ? why === 'bootstrap' || listedVersion !== null : backlog.tasks.length > 0
        if (!isOld && isOthers) return
        write()
        setFields(backlog, {
          tasks: tasks.map((task) => fromSource(task, at)),
          root: {},
          condition: 'whole',
          version: backlog.version + 1,
        })
        pending.clear()
        onReplaced()
        await pause()
      }),
    settle: () =>
      serially(async () => {
        for (;;) {
          if (pending.isEmpty()) return
          const snapshot = refresh()
          await pause()
          // Another actor wrote first.
          if (snapshot.version !== backlog.version) continue
          reach(backlog)
          keep(snapshot)
          pending.clear()
          return await pause()
        }
      }),
  }
}

const broken = (problems: string[]): LooperError =>
  new LooperError('CONFIG_BACKLOG', `to-do.json: ${problems[0]}`, { details: { problems, text: '{' } })

function requireWhole({ list, indexes }: FileSnapshot): void {
  const missing = list.flatMap((task) =>
    toSource(task)
      .dependsOn.filter((id) => !indexes.has(id))
      .map((id) => `names no task: ${id}`),
  )
  if (missing.length > 0) throw broken(missing)
}
