/**
 * Buffers the updates of a run that are not in the file yet. It stores them per field, so that concurrent edits of
 * other fields are preserved.
 */
import { isObject } from '../../model/object.ts'
import type { Edits } from './edit.ts'
import type { Value, Values } from './site.ts'
import type { FileTask } from './task.ts'

/** The current tasks of the file. */
export interface Tasks {
  list: readonly unknown[]
  /** By id; when an id is repeated, the first task counts. */
  indexes: ReadonlyMap<string, number>
  root: Readonly<Record<string, unknown>>
}

interface Put {
  /**
   * The value in the file when the update was buffered: if the file now has another one, another writer has changed it.
   */
  base: unknown
  value: Value
}
type Puts = Map<string, Put>

export interface Pending {
  isEmpty(): boolean
  put(task: FileTask, id: string, values: Values): void
  /** Does nothing when a task with that id exists. */
  add(id: string, values: Values, tasks: Tasks): void
  putRoot(values: Values, tasks: Tasks): void
  /** Returns the task with its pending updates applied. */
  over(task: FileTask, id: string): FileTask
  /** New tasks that the file does not have yet. */
  added(): ReadonlyMap<string, Values>
  /**
   * Drops updates that conflict with other writers: those of removed tasks, and of fields that were set to another
   * value.
   */
  reconcile(tasks: Tasks): void
  edits(tasks: Tasks): Edits
  clear(): void
}

export function createPending(): Pending {
  const puts = new Map<string, Puts>()
  const added = new Map<string, Values>()
  const root: Puts = new Map()
  return {
    isEmpty: () => puts.size === 0 && added.size === 0 && root.size === 0,
    put(task, id, values) {
      const fresh = added.get(id)
      if (fresh !== undefined) return void added.set(id, { ...fresh, ...values })
      const fields = puts.get(id) ?? new Map<string, Put>()
      putInto(fields, task, values)
      if (saysAnything(fields)) puts.set(id, fields)
      else puts.delete(id)
    },
    add(id, values, { indexes }) {
      if (!indexes.has(id) && !added.has(id)) added.set(id, values)
    },
    putRoot: (values, tasks) => putInto(root, tasks.root, values),
    over(task, id) {
      const fields = puts.get(id)
      return fields === undefined ? task : { ...task, ...valuesOf(fields) }
    },
    added: () => added,
    reconcile(tasks) {
      for (const [id, fields] of puts) {
        const task = tasks.list[tasks.indexes.get(id) ?? -1]
        if (!isObject(task) || !reconcileFields(fields, task)) puts.delete(id)
      }
      for (const [name, { base }] of root) if (!same(tasks.root[name], base)) root.delete(name)
      for (const [id, values] of added) if (tasks.indexes.has(id)) moveAside(added, id, values, tasks)
    },
    edits: ({ indexes }) => ({
      tasks: new Map(
        [...puts].flatMap(([id, fields]) => {
          const index = indexes.get(id)
          return index === undefined ? [] : [[index, valuesOf(fields)]]
        }),
      ),
      added: [...added.values()],
      root: valuesOf(root),
    }),
    clear() {
      for (const each of [puts, added, root]) each.clear()
    },
  }
}

function putInto(fields: Puts, before: FileTask, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const base = fields.has(name) ? fields.get(name)?.base : before[name]
    if (same(base, value)) fields.delete(name)
    else fields.set(name, { base, value })
  }
}

const valuesOf = (fields: ReadonlyMap<string, Put>): Values =>
  Object.fromEntries([...fields].map(([name, { value }]) => [name, value]))

const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** A new `updated_at` alone is not worth writing. */
const saysAnything = (fields: Puts): boolean => [...fields.keys()].some((name) => name !== 'updated_at')

/** When the status conflicts, its explanations are dropped with it. Returns false when no update is left. */
function reconcileFields(fields: Puts, task: FileTask): boolean {
  for (const [name, { base, value }] of fields) {
    if (same(task[name], base)) continue
    fields.delete(name)
    if (name === 'status' && !same(task[name], value))
      for (const explanation of ['blockers', 'reason']) fields.delete(explanation)
  }
  return saysAnything(fields)
}

/** Another writer has added a task with the same id: that task keeps the id, and ours gets a new one. */
function moveAside(added: Map<string, Values>, id: string, values: Values, { list, indexes }: Tasks): void {
  const theirs = list[indexes.get(id) ?? -1]
  added.delete(id)
  if (isObject(theirs) && theirs['title'] === values['title']) return
  let number = 2
  while (indexes.has(`${id}-${number}`) || added.has(`${id}-${number}`)) number++
  const free = `${id}-${number}`
  added.set(free, { ...values, id: free })
  for (const [other, fields] of added) added.set(other, waitingFor(fields, id, free))
}

function waitingFor(values: Values, id: string, instead: string): Values {
  const names = values['depends_on']
  return Array.isArray(names)
    ? { ...values, depends_on: names.map((name: string) => (name === id ? instead : name)) }
    : values
}
