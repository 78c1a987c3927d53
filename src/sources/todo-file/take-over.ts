/** Merges an agent's changes to its copy of a backlog into the backlog itself, which may have changed meanwhile. */
import { isObject } from '../../model/object.ts'
import { idsOf, readDocument, type Document } from './document.ts'
import { editDocument } from './edit.ts'
import { parseBacklog } from './inspect.ts'
import { problems } from './problems.ts'
import { backlogError } from './read-file.ts'
import type { Value, Values } from './site.ts'

type Fields = Readonly<Record<string, unknown>>
type Ids = ReadonlyMap<string, number>

/**
 * `given` is the text that the agent received, `copy` the text it left, `current` the text of the file now. Returns
 * null when there is nothing to merge. Changes by others win over those of the agent. Tasks that the agent removed
 * stay: to drop a task, cancel it. Throws CONFIG_BACKLOG when the copy cannot be read, or the merged backlog would be
 * invalid.
 */
export function takeOver(given: string, copy: string, current: string, name: string): string | null {
  if (copy === given) return null
  const [before, after] = [read(given, name), read(copy, name)]
  const ids = idsOf(after.tasks, (index, first) => {
    throw backlogError(name, `tasks[${index}] has the id of tasks[${first}]`)
  })
  const keepsAll = before.tasks.every((task) => ids.has(idOf(task))) && idsOf(before.tasks).size === before.tasks.length
  const result = current === given && keepsAll ? after : merge(before, after, valid(read(current, name), name))
  return result === null ? null : valid(result, name).mark + result.text
}

function valid(document: Document, name: string): Document {
  const [first, ...more] = problems(document)
  if (first) throw backlogError(name, `${first.message}${more.length === 0 ? '' : ` (and ${more.length} more)`}`)
  return document
}

/** An empty file is a backlog without tasks. */
const read = (text: string, name: string): Document =>
  text.trim() === '' ? readDocument('{\n  "tasks": []\n}\n') : parseBacklog(text, name)

/** Merges by task and field; null when nothing changes. */
function merge(before: Document, after: Document, now: Document): Document | null {
  const [known, there] = [idsOf(before.tasks), idsOf(now.tasks)]
  const names = newNames(known, after.tasks, now.tasks, there)
  const tasks = new Map<number, Values>()
  const added: Values[] = []
  for (const left of after.tasks) {
    const task = isObject(left) ? rename(left, names) : null
    if (task === null) continue
    const id = idOf(task)
    const index = there.get(id)
    if (index !== undefined) {
      const changes = changesIn(
        known.has(id) ? before.tasks[known.get(id) ?? -1] : now.tasks[index],
        task,
        now.tasks[index],
      )
      if (Object.keys(changes).length > 0) tasks.set(index, changes)
    } else if (!known.has(id)) added.push(task as Values)
  }
  const root = changesIn({ ...before.root, tasks: null }, { ...after.root, tasks: null }, { ...now.root, tasks: null })
  return tasks.size + added.length + Object.keys(root).length === 0 ? null : editDocument(now, { tasks, added, root })
}

/** Returns the fields that the agent changed and no other writer did. */
function changesIn(before: unknown, after: Fields, now: unknown): Values {
  const [old, current] = [before, now].map((fields) => (isObject(fields) ? fields : {}))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !isSame(old?.[key], value) && isSame(old?.[key], current?.[key])),
  ) as Values
}

/** Finds new ids for tasks that the agent added under an id that another writer has used meanwhile. */
function newNames(known: Ids, left: readonly unknown[], now: readonly unknown[], there: Ids): Map<string, string> {
  const taken = new Set([...known.keys(), ...idsOf(left).keys()])
  const names = new Map<string, string>()
  for (const task of left) {
    const id = idOf(task)
    if (!isObject(task) || known.has(id)) continue
    const isFree = (name: string): boolean => {
      const index = there.get(name)
      // The same task was merged before, so it keeps that id.
      return index === undefined ? name === id || !taken.has(name) : isSame({ ...task, id: name }, now[index])
    }
    let name = id
    for (let number = 2; !isFree(name); number++) name = `${id}-${number}`
    taken.add(name)
    if (name !== id) names.set(id, name)
  }
  return names
}

function rename(task: Fields, names: ReadonlyMap<string, string>): Fields {
  if (names.size === 0) return task
  const { depends_on: needs } = task
  const named = <T>(value: T): T | string => (typeof value === 'string' ? (names.get(value) ?? value) : value)
  return {
    ...task,
    id: named(task['id']),
    ...(Array.isArray(needs) ? { depends_on: needs.map((each: Value) => named(each)) } : {}),
  }
}

const idOf = (task: unknown): string => (isObject(task) ? String(task['id']) : '')
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
