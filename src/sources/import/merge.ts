/** Computes the changes that bring imported tasks into a backlog: importing the same tasks again adds nothing twice. */
import { findCycle } from '../../core/policies/plan-graph.ts'
import { LooperError } from '../../model/error.ts'
import type { SourceTask } from '../../model/source.ts'
import { isSafeId, numberedId } from '../../model/task-id.ts'
import { isOpen } from '../status-words.ts'
import type { ImportedTask } from './imported.ts'

export interface Merge {
  added: ImportedTask[]
  /** Tasks that are open here and closed in the imported file, with the imported task. */
  closed: { id: string; task: ImportedTask }[]
  unchanged: string[]
  notes: string[]
}

/** Ids that many lists use: such a task matches only when its title is the same as well. */
const commonId = /^(?:T-?)?\d+(?:\.\d+)*$/i

/** Throws CONFIG_BACKLOG when the dependencies would form a cycle. */
export function mergeTasks(existing: readonly SourceTask[], imported: readonly ImportedTask[]): Merge {
  const same = matchTasks(existing, imported)
  const notes: string[] = []
  const ids = nameAll(existing, imported, same, notes)
  const added = imported
    .filter((task) => !same.has(task))
    .map((task) => ({
      ...task,
      id: ids.get(task.id) ?? task.id,
      parent: ids.get(task.parent ?? '') ?? null,
      dependsOn: task.dependsOn.flatMap((id) => ids.get(id) ?? []),
    }))
  const matched = imported.flatMap((task) => same.get(task) ?? [])
  const closed = imported.flatMap((task) => {
    const here = same.get(task)
    return here !== undefined && isOpen(here.status) && !isOpen(task.status) ? [{ id: here.id, task }] : []
  })
  refuseCircles([...existing, ...added])
  const closedIds = new Set(closed.map(({ id }) => id))
  return { added, closed, unchanged: matched.map(({ id }) => id).filter((id) => !closedIds.has(id)), notes }
}

/** Matches tasks by id, then by title; each existing task matches at most one imported task. */
function matchTasks(existing: readonly SourceTask[], imported: readonly ImportedTask[]): Map<ImportedTask, SourceTask> {
  const byId = new Map(existing.map((task) => [task.id, task]))
  const byTitle = new Map<string, SourceTask[]>()
  for (const task of existing) byTitle.set(plainTitle(task), [...(byTitle.get(plainTitle(task)) ?? []), task])
  const same = new Map<ImportedTask, SourceTask>()
  const taken = new Set<SourceTask>()
  const match = (task: ImportedTask, here: SourceTask | undefined): void => {
    if (here === undefined || taken.has(here) || same.has(task)) return
    same.set(task, here)
    taken.add(here)
  }
  for (const task of imported) {
    const here = task.named ? byId.get(task.id) : undefined
    if (here !== undefined && (!commonId.test(task.id) || plainTitle(here) === plainTitle(task))) match(task, here)
  }
  for (const task of imported)
    match(
      task,
      byTitle.get(plainTitle(task))?.find((here) => !taken.has(here)),
    )
  return same
}

const plainTitle = ({ title }: SourceTask): string =>
  title
    .toLowerCase()
    .replace(/[\s`*_]+/g, ' ')
    .trim()

/** Maps the ids of the imported tasks to ids of the backlog. */
function nameAll(
  existing: readonly SourceTask[],
  imported: readonly ImportedTask[],
  same: ReadonlyMap<ImportedTask, SourceTask>,
  notes: string[],
): Map<string, string> {
  const taken = new Set(existing.map(({ id }) => id.toLowerCase()))
  const ids = new Map<string, string>()
  const free = (id: string): boolean => !taken.has(id.toLowerCase())
  const give = (task: ImportedTask, id: string): void => {
    ids.set(task.id, id)
    taken.add(id.toLowerCase())
  }
  let last = existing.reduce((most, { id }) => Math.max(most, Number(/^T-?(\d{1,9})(?:\.|$)/i.exec(id)?.[1] ?? 0)), 0)
  const next = (): string => {
    do last++
    while (!free(numberedId(last)))
    return numberedId(last)
  }
  for (const task of imported) {
    const here = same.get(task)
    if (here !== undefined) ids.set(task.id, here.id)
    else if (task.named && isSafeId(task.id) && free(task.id)) give(task, task.id)
  }
  for (const task of imported) {
    if (ids.has(task.id)) continue
    give(task, partName(ids.get(task.parent ?? ''), free) ?? next())
    const why = isSafeId(task.id) ? 'another task has that id' : 'such an id cannot be used'
    if (task.named) notes.push(`${task.id} becomes ${ids.get(task.id)}: ${why}`)
  }
  return ids
}

/** Subtasks are numbered below the id of their parent. */
function partName(whole: string | undefined, free: (id: string) => boolean): string | null {
  if (whole === undefined) return null
  let number = 1
  while (!free(`${whole}.${number}`)) number++
  return isSafeId(`${whole}.${number}`) ? `${whole}.${number}` : null
}

function refuseCircles(tasks: readonly SourceTask[]): void {
  const circle = findCycle(tasks)
  if (circle === null) return
  const hint = 'Remove one of these dependencies in the source.'
  throw new LooperError('CONFIG_BACKLOG', `the tasks wait for each other: ${circle.join(' → ')}`, { hint })
}
