/**
 * Formats a backlog in canonical form: two spaces of indentation, known fields first and in the order of the table.
 * Values keep their exact spelling.
 */
import { JsonProblem, maxDepth, tooDeep } from '../../platform/jsonc.ts'
import type { Document } from './document.ts'
import type { Spec } from '../../schema/shape.ts'
import { rootSpec } from './fields.ts'
import { skipSpace, skipString, skipValue } from '../../platform/json-spans.ts'

/** The order of an object's members, and the orders of nested values. Keys are spelled as in the text, with quotes. */
interface Order {
  ranks: ReadonlyMap<string, number>
  members: ReadonlyMap<string, Order> | null
  elements: Order | null
}

/** Null for values without known fields. */
function orderOf(spec: Spec): Order | null {
  if (spec.kind === 'list') {
    const elements = orderOf(spec.of)
    return elements && { ranks: new Map(), members: null, elements }
  }
  if (spec.kind !== 'object') return null
  const fields = Object.entries(spec.fields).map(([name, field]) => ({ key: JSON.stringify(name), spec: field.spec }))
  const members = fields.flatMap(({ key, spec: inner }): [string, Order][] => {
    const order = orderOf(inner)
    return order === null ? [] : [[key, order]]
  })
  return {
    ranks: new Map(fields.map(({ key }, rank) => [key, rank])),
    members: members.length === 0 ? null : new Map(members),
    elements: null,
  }
}

const rootOrder = orderOf(rootSpec)

interface Cursor {
  text: string
  at: number
}

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Idempotent. Throws JsonProblem when the text is nested too deeply. */
export const formatDocument = ({ text }: Document): string =>
  `${formatValue({ text, at: skipSpace(text, 0) }, '\n', rootOrder)}\n`

/** Moves the cursor past the value. */
function formatValue(cursor: Cursor, gap: string, order: Order | null): string {
  const { text, at } = cursor
  const first = text.charCodeAt(at)
  if (first === openBrace) return formatObject(cursor, gap, order)
  if (first === openBracket) return formatList(cursor, gap, order === null ? null : order.elements)
  cursor.at = skipValue(text, at)
  return text.slice(at, cursor.at)
}

function formatObject(cursor: Cursor, gap: string, order: Order | null): string {
  const { text } = cursor
  const inside = deeper(cursor, gap)
  const members: string[] = []
  const ranks: number[] = []
  while (next(cursor, closeBrace)) {
    const start = cursor.at
    const key = text.slice(start, (cursor.at = skipString(text, start)))
    cursor.at = skipSpace(text, skipSpace(text, cursor.at) + 1)
    members.push(`${key}: ${formatValue(cursor, inside, order?.members?.get(key) ?? null)}`)
    if (order !== null) ranks.push(order.ranks.get(key) ?? order.ranks.size)
  }
  return members.length === 0 ? '{}' : `{${inside}${inOrder(members, ranks).join(`,${inside}`)}${gap}}`
}

function formatList(cursor: Cursor, gap: string, order: Order | null): string {
  const inside = deeper(cursor, gap)
  const elements: string[] = []
  while (next(cursor, closeBracket)) elements.push(formatValue(cursor, inside, order))
  return elements.length === 0 ? '[]' : `[${inside}${elements.join(`,${inside}`)}${gap}]`
}

function deeper({ text, at }: Cursor, gap: string): string {
  if (gap.length > 2 * maxDepth) throw new JsonProblem(tooDeep, text, at)
  return `${gap}  `
}

/**
 * Moves to the next entry, past the opening bracket or the comma; at the closing bracket, moves past it and returns
 * false.
 */
function next(cursor: Cursor, close: number): boolean {
  const { text } = cursor
  let at = skipSpace(text, cursor.at)
  if (text.charCodeAt(at) !== close) at = skipSpace(text, at + 1)
  const ends = text.charCodeAt(at) === close
  cursor.at = ends ? at + 1 : at
  return !ends
}

/** Returns members unchanged when they are in order, which is the usual case. */
function inOrder(members: string[], ranks: readonly number[]): string[] {
  if (ranks.every((rank, index) => index === 0 || (ranks[index - 1] ?? 0) <= rank)) return members
  return [...members.keys()].toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).map((index) => members[index] ?? '')
}
