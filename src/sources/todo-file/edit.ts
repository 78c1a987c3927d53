/** Edits the text of a backlog: only the changed values change, and new ones get the layout of their neighbors. */
import { isObject } from '../../model/object.ts'
import { documentOf, memberNamed, type Document, type Layout } from './document.ts'
import { rootFields, taskFields } from './fields.ts'
import { setMembers, siteOf, writeEntries, writeWhole, type Change, type JsonSite, type Values } from './site.ts'
import { membersAt, skipSpace, type Span } from '../../platform/json-spans.ts'
import { innerStyle, listStyle, objectStyle, writeList, type Style } from './style.ts'

const [rootOrder, taskOrder] = [Object.keys(rootFields), Object.keys(taskFields)]

export interface Edits {
  /** Keyed by the index of the task, which must be an object. */
  tasks: ReadonlyMap<number, Values>
  added: readonly Values[]
  /** Fields of the root object. */
  root: Values
}

/**
 * Takes one pass over the text, however many edits there are. `tasks` in the document must be a list, null or absent.
 */
export function editDocument(document: Document, { tasks: edits, added, root: values }: Edits): Document {
  const { mark, text } = document
  const layout = document.layout()
  const spread = isSpread(document)
  const root = siteOf(
    text,
    { start: skipSpace(text, 0), end: text.trimEnd().length },
    layout.members,
    spread,
    rootOrder,
  )
  const changes = [
    ...[...edits].flatMap(([index, fields]) => changeTask(text, layout.elements[index], fields, spread)),
    ...changeRoot(root, layout, added, values),
  ].toSorted((a, b) => a.start - b.start)
  const tasks = document.tasks.map((task, index) =>
    edits.has(index) && isObject(task) ? { ...task, ...edits.get(index) } : task,
  )
  const list = layout.list === null && added.length === 0 ? {} : { tasks: [...tasks, ...added] }
  const sameParts = added.length === 0 && Object.keys(values).length === 0
  return documentOf(
    mark,
    apply(text, changes),
    { ...document.root, ...list, ...values },
    sameParts ? moveLayout(layout, changes) : undefined,
  )
}

/** Changes must be sorted by position and must not overlap. */
function apply(text: string, changes: readonly Change[]): string {
  const pieces: string[] = []
  let copied = 0
  for (const change of changes) {
    pieces.push(text.slice(copied, change.start), change.text)
    copied = change.end
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

/** Shifts the spans of the layout instead of parsing the text again. */
function moveLayout(layout: Layout, changes: readonly Change[]): Layout {
  const elements = layout.elements.map(mover(changes))
  const move = mover(changes)
  const members = layout.members.map(({ name, key, value }) => ({ name, key: move(key), value: move(value) }))
  return { members, list: layout.list && (memberNamed(members, 'tasks')?.value ?? null), elements }
}

/** Spans must be passed in ascending order. */
function mover(changes: readonly Change[]): (span: Span) => Span {
  let [next, by] = [0, 0]
  const move = (at: number): number => {
    for (let change = changes[next]; change !== undefined && change.start < at; change = changes[++next]) {
      by += change.text.length - (change.end - change.start)
    }
    return at + by
  }
  return ({ start, end }) => ({ start: move(start), end: move(end) })
}

/** Detects whether lists have one entry per line, as most programs write them, from the list `source_files`. */
function isSpread({ text, root, layout }: Document): boolean {
  const list = memberNamed(layout().members, 'source_files')?.value
  return (
    list === undefined
    || !Array.isArray(root['source_files'])
    || root['source_files'].length === 0
    || text.slice(list.start, list.end).includes('\n')
  )
}

function changeTask(text: string, object: Span | undefined, fields: Values, spread: boolean): Change[] {
  if (object === undefined) return []
  const site = siteOf(text, object, membersAt(text, object.start), spread, taskOrder)
  return setMembers(site, writeEntries(site, fields))
}

function changeRoot(root: JsonSite, { list, elements }: Layout, added: readonly Values[], values: Values): Change[] {
  const entries = writeEntries(root, values)
  if (added.length === 0) return setMembers(root, entries)
  const style = (list && listStyle(root.text, list, root.style.colon, elements)) ?? innerStyle(root.style, true)
  const model = modelOf(root, elements, style)
  const tasks = added.map((task) => writeWhole(model, task))
  if (list === null) return setMembers(root, [['tasks', writeList(tasks, style)], ...entries])
  return [...setMembers(root, entries), append(list, elements.at(-1), tasks, style)]
}

function append(list: Span, last: Span | undefined, tasks: readonly string[], style: Style): Change {
  if (last === undefined) return { ...list, text: writeList(tasks, style) }
  return { start: last.end, end: last.end, text: tasks.map((task) => `,${style.between}${task}`).join('') }
}

/** New tasks copy the layout of the last task. */
function modelOf(root: JsonSite, elements: readonly Span[], list: Style): JsonSite {
  const { text } = root
  const object = elements.findLast(({ start }) => text[start] === '{')
  const members = object === undefined ? [] : membersAt(text, object.start)
  return { ...root, members, style: (object && objectStyle(text, object, members)) ?? innerStyle(list, true) }
}
