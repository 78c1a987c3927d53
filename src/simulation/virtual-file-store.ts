/** A twin of the backlog file's store: the same deferred updates, with a file in memory. */
import { LooperError } from '../model/error.ts'
import type { TaskStore } from '../model/source.ts'
import { inTurn } from '../platform/in-turn.ts'
import { createPending, type Tasks } from '../sources/todo-file/pending.ts'
import { fieldsOf, fromSource, toSource, type FileTask } from '../sources/todo-file/task.ts'
import { reach, type Access } from './virtual-place.ts'

interface Look extends Tasks {
  list: readonly FileTask[]
  version: number
}

const open: readonly string[] = ['todo', 'doing', 'blocked']

export function createFileStore({ place, pause, write, onClaim, onReplaced }: Access): Required<TaskStore> {
  const pending = createPending()
  const serially = inTurn()
  let seen: Look | null = null
  let news = true
  /** The version at the last `list`. */
  let looked: number | null = null

  const refresh = (): Look => {
    reach(place)
    if (seen?.version === place.version) return seen
    if (place.condition === 'broken') throw broken(['tasks[0] is no task'])
    const next = lookAt()
    pending.reconcile(next)
    news = true
    seen = next
    return next
  }
  const lookAt = (): Look => ({
    version: place.version,
    list: place.tasks,
    root: place.root,
    indexes: new Map(place.tasks.map(({ id }, index) => [String(id), index])),
  })
  const known = (): Look => seen ?? refresh()
  const inFile = ({ list, indexes }: Look, id: string): FileTask | null => list[indexes.get(id) ?? -1] ?? null
  const taskNamed = (look: Look, id: string): FileTask | null => {
    const task = inFile(look, id)
    return task === null ? (pending.added().get(id) ?? null) : pending.over(task, id)
  }
  const tell: TaskStore['update'] = async (id, change) => {
    const look = known()
    const task = taskNamed(look, id)
    if (task !== null) pending.put(inFile(look, id) ?? task, id, fieldsOf(task, change))
  }
  const keep = (look: Look): void => {
    write()
    const { tasks, added, root } = pending.edits(look)
    place.tasks = [...place.tasks.map((task, index) => ({ ...task, ...tasks.get(index) })), ...added]
    place.root = { ...place.root, ...root }
    place.version++
    seen = lookAt()
  }

  return {
    list: () =>
      serially(async () => {
        await pause()
        looked = place.version
        const look = refresh()
        requireWhole(look)
        if (!news) return null
        news = false
        return [...look.list.map((task) => pending.over(task, String(task['id']))), ...pending.added().values()].map(
          toSource,
        )
      }),
    claim: (id, _by, at) =>
      serially(async () => {
        await pause()
        const task = taskNamed(refresh(), id)
        const isMine = task !== null && open.includes(toSource(task).status)
        if (isMine) await tell(id, { status: 'doing', reason: null, summary: null, files: [], at })
        onClaim(id, isMine)
        await pause()
        return isMine
      }),
    update: (id, change) => serially(() => tell(id, change)),
    close: (id, change) => serially(() => tell(id, change)),
    add: (task, at) => serially(async () => pending.add(task.id, fromSource(task, at), known())),
    documents: () => [],
    isComplete: () => typeof seen?.root['completed'] === 'object',
    complete: (run, at) => serially(async () => pending.putRoot({ completed: { at, run } }, known())),
    replace: (tasks, at, why) =>
      serially(async () => {
        await pause()
        reach(place)
        const isOld = why === 'repair' && place.version === looked
        // Another actor has written or fixed the file meanwhile, or is editing it.
        const isOthers = place.condition === 'broken' ? why === 'bootstrap' || looked !== null : place.tasks.length > 0
        if (!isOld && isOthers) return
        write()
        Object.assign(place, {
          tasks: tasks.map((task) => fromSource(task, at)),
          root: {},
          condition: 'whole',
          version: place.version + 1,
        })
        pending.clear()
        onReplaced()
        await pause()
      }),
    settle: () =>
      serially(async () => {
        for (;;) {
          if (pending.isEmpty()) return
          const look = refresh()
          await pause()
          // Another actor wrote first.
          if (look.version !== place.version) continue
          reach(place)
          keep(look)
          pending.clear()
          return await pause()
        }
      }),
  }
}

const broken = (problems: string[]): LooperError =>
  new LooperError('CONFIG_BACKLOG', `to-do.json: ${problems[0]}`, { details: { problems, text: '{' } })

function requireWhole({ list, indexes }: Look): void {
  const missing = list.flatMap((task) =>
    toSource(task)
      .dependsOn.filter((id) => !indexes.has(id))
      .map((id) => `names no task: ${id}`),
  )
  if (missing.length > 0) throw broken(missing)
}
