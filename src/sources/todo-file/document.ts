/** Keeps a backlog as text and as parsed value: edits change the text, so that everything else in it stays the same. */
import { JsonProblem, parseJson } from '../../platform/jsonc.ts'
import { isObject } from '../../model/object.ts'
import { elementsAt, membersAt, skipSpace, type Member, type Span } from '../../platform/json-spans.ts'

export interface Layout {
  /** The members of the root object. */
  members: Member[]
  /** The span of the `tasks` list and of each element; null when there is no such list. */
  list: Span | null
  elements: readonly Span[]
}

export interface Document {
  /** The byte order mark, which is not part of `text`. */
  mark: '' | '\uFEFF'
  text: string
  root: Record<string, unknown>
  /** Not validated: elements can be any JSON value. */
  tasks: readonly unknown[]
  /** Computed on the first call. */
  layout(): Layout
}

/** Throws JsonProblem when the source is not JSON, or not an object. */
export function readDocument(source: string): Document {
  const mark = source.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = source.slice(mark.length)
  const root = parse(text)
  if (!isObject(root)) throw new JsonProblem('a backlog is an object: { "tasks": [ … ] }', text, skipSpace(text, 0))
  return documentOf(mark, text, root)
}

export function documentOf(
  mark: Document['mark'],
  text: string,
  root: Record<string, unknown>,
  known?: Layout,
): Document {
  let layout = known
  const tasks: unknown = root['tasks']
  return { mark, text, root, tasks: Array.isArray(tasks) ? tasks : [], layout: () => (layout ??= locate(text)) }
}

/** Only invalid text is parsed again, with the slower parser that reports positions. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    parseJson(text, () => {})
    throw error
  }
}

function locate(text: string): Layout {
  const members = membersAt(text, skipSpace(text, 0))
  const list = memberNamed(members, 'tasks')?.value ?? null
  const isList = list !== null && text[list.start] === '['
  return { members, list: isList ? list : null, elements: isList ? elementsAt(text, list.start) : [] }
}

/** When a name is repeated, the last member counts, as in JSON.parse. */
export const memberNamed = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name)

/** Maps each task id to its index; when an id is repeated, the first task counts. */
export function idsOf(
  tasks: readonly unknown[],
  onDouble: (index: number, first: number) => void = () => {},
): Map<string, number> {
  const ids = new Map<string, number>()
  for (const [index, task] of tasks.entries()) {
    const id = isObject(task) ? task['id'] : null
    if (typeof id !== 'string') continue
    const first = ids.get(id)
    if (first === undefined) ids.set(id, index)
    else onDouble(index, first)
  }
  return ids
}
