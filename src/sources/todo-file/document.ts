/** A backlog as text and as value, side by side: the text is what gets edited, so that nothing else in it changes. */
import { JsonProblem, parseJson } from '../../platform/jsonc.ts'
import { isObject } from '../../model/object.ts'
import { elementsAt, membersAt, skipSpace, type Member, type Span } from '../../platform/json-spans.ts'

export interface Layout {
  /** Of the whole object. */
  members: Member[]
  /** The list of tasks, and each of its elements; null when there is no such list. */
  list: Span | null
  elements: readonly Span[]
}

export interface Document {
  /** A byte order mark, which is no part of the text. */
  mark: '' | '\uFEFF'
  text: string
  root: Record<string, unknown>
  /** Not looked at yet: anything may stand there. */
  tasks: readonly unknown[]
  /** Found when first asked for. */
  layout(): Layout
}

/** Throws JsonProblem when it is no JSON, or no object. */
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

/** Only what is wrong is read a second time, by the slow reader that knows where. */
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

/** Of several with one name the last counts, as for JSON.parse. */
export const memberNamed = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name)

/** The index of each task by its id; of several with one id the first. */
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
