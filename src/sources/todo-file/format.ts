/** A backlog in its canonical form: two spaces, known fields first and in their order. Values stay as they were written, to the digit. */
import type { Document } from './document.ts'
import { completedFields, projectFields, rootFields, taskFields, type Fields } from './fields.ts'
import { skipSpace, skipValue } from './spans.ts'

/** The order of an object's members, and that of what they hold. */
interface Order {
  ranks: ReadonlyMap<string, number>
  members: Readonly<Record<string, Order>>
  elements: Order | null
}

const orderOf = (fields: Fields, members: Readonly<Record<string, Order>> = {}): Order =>
  ({ ranks: new Map(Object.keys(fields).map((name, rank) => [JSON.stringify(name), rank])), members, elements: null })

const tasksOrder: Order = { ranks: new Map(), members: {}, elements: orderOf(taskFields) }
const rootOrder = orderOf(rootFields, {
  '"project"': orderOf(projectFields), '"completed"': orderOf(completedFields), '"tasks"': tasksOrder,
})

interface Cursor {
  text: string
  at: number
}

/** Formatting what is formatted changes nothing. The document must not be nested too deep. */
export const formatDocument = ({ text }: Document): string => `${formatValue({ text, at: skipSpace(text, 0) }, '\n', rootOrder)}\n`

/** Leaves the cursor after the value. */
function formatValue(cursor: Cursor, gap: string, order: Order | null): string {
  const { text, at } = cursor
  if (text[at] === '{') return formatObject(cursor, gap, order)
  if (text[at] === '[') return formatList(cursor, gap, order?.elements ?? null)
  cursor.at = skipValue(text, at)
  return text.slice(at, cursor.at)
}

function formatObject(cursor: Cursor, gap: string, order: Order | null): string {
  const { text } = cursor
  const inside = `${gap}  `
  const members: { key: string; value: string }[] = []
  while (next(cursor, '}')) {
    const key = formatValue(cursor, inside, null)
    cursor.at = skipSpace(text, skipSpace(text, cursor.at) + 1)
    members.push({ key, value: formatValue(cursor, inside, order?.members[key] ?? null) })
  }
  if (members.length === 0) return '{}'
  const sorted = order === null ? members : members.toSorted((a, b) => rankOf(a.key, order) - rankOf(b.key, order))
  return `{${inside}${sorted.map(({ key, value }) => `${key}: ${value}`).join(`,${inside}`)}${gap}}`
}

function formatList(cursor: Cursor, gap: string, order: Order | null): string {
  const inside = `${gap}  `
  const elements: string[] = []
  while (next(cursor, ']')) elements.push(formatValue(cursor, inside, order))
  return elements.length === 0 ? '[]' : `[${inside}${elements.join(`,${inside}`)}${gap}]`
}

/** Goes to the next entry, over the bracket or the comma before it; false, and behind it, at the closing bracket. */
function next(cursor: Cursor, close: string): boolean {
  const { text } = cursor
  cursor.at = skipSpace(text, cursor.at)
  if (text[cursor.at] !== close) cursor.at = skipSpace(text, cursor.at + 1)
  const ends = text[cursor.at] === close
  if (ends) cursor.at++
  return !ends
}

const rankOf = (key: string, { ranks }: Order): number => ranks.get(key) ?? ranks.size
