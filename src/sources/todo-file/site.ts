/** Writes into one object of a JSON text: replaced values keep their layout, new ones get that of their neighbors. */
import { jsonText } from '../../views/text/json-text.ts'
import { memberNamed } from './document.ts'
import { skipSpace, type Member, type Span } from '../../platform/json-spans.ts'
import { innerStyle, listStyle, objectStyle, writeList, writeObject, type Style } from './style.ts'

/** Any JSON value. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }
export type Values = Readonly<Record<string, Value>>

/** Replaces a span of the text. */
export interface Change extends Span {
  text: string
}

/** An object in the text, with everything needed to write into it. */
export interface JsonSite {
  text: string
  object: Span
  members: readonly Member[]
  style: Style
  /** Whether lists have one entry per line, provided that the object itself has several lines. */
  spread: boolean
  /** The canonical order of the members that are known. */
  order: readonly string[]
}

type Entry = readonly [name: string, value: string]

/** The layout for an empty object, which shows none. */
const usual: Style = { open: '\n  ', between: '\n  ', close: '\n', colon: ': ' }

export const siteOf = (
  text: string,
  object: Span,
  members: readonly Member[],
  spread: boolean,
  order: readonly string[],
): JsonSite => ({ text, object, members, style: objectStyle(text, object, members) ?? usual, spread, order })

export const writeEntries = (site: JsonSite, values: Values): Entry[] =>
  Object.entries(values).map(([name, value]) => [name, writeValue(site, name, value)])

export const writeWhole = (site: JsonSite, values: Values): string =>
  writeObject(writeEntries(site, values).map(keyed), site.style)

const keyed = ([name, value]: Entry): Entry => [JSON.stringify(name), value]

/** Replaces the values of existing members and adds the new ones where the canonical order has them. */
export function setMembers(site: JsonSite, entries: readonly Entry[]): Change[] {
  const { text, members } = site
  const fresh: Entry[] = []
  const changes: Change[] = []
  for (const entry of entries) {
    const span = memberNamed(members, entry[0])?.value
    if (span === undefined) fresh.push(entry)
    else if (!sameValue(text.slice(span.start, span.end), entry[1])) changes.push({ ...span, text: entry[1] })
  }
  return fresh.length === 0 ? changes : [...changes, ...addMembers(site, fresh)]
}

/** A value that is equal but laid out differently is not rewritten. */
const sameValue = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))

/** In a formatted text, the result is formatted too. */
function addMembers({ object, members, style, order }: JsonSite, entries: readonly Entry[]): Change[] {
  const rankOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)
  const fresh = entries.toSorted(([a], [b]) => rankOf(a) - rankOf(b))
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined) return [{ ...object, text: writeObject(fresh.map(keyed), style) }]
  const written = (entry: Entry): string => keyed(entry).join(style.colon)
  return fresh.map((entry) => {
    const isKnown = members.some(({ name }) => order.includes(name))
    const before = isKnown ? members.findLast(({ name }) => rankOf(name) <= rankOf(entry[0])) : last
    const at = before?.value.end ?? first.key.start
    const text = before ? `,${style.between}${written(entry)}` : `${written(entry)},${style.between}`
    return { start: at, end: at, text }
  })
}

/** Uses the layout of the value that it replaces, or that of its neighbors. */
function writeValue(site: JsonSite, name: string, value: Value): string {
  if (typeof value !== 'object' || value === null) return jsonText(value)
  const own = memberNamed(site.members, name)
  const examples = own === undefined ? site.members : [own, ...site.members]
  const inner = innerStyle(site.style, site.spread)
  if (isList(value)) {
    return writeList(
      value.map((entry) => jsonText(entry)),
      firstOf(examples, (member) => listStyleOf(site, member)) ?? inner,
    )
  }
  const entries = Object.entries(value).map(([key, text]): Entry => [JSON.stringify(key), jsonText(text)])
  return writeObject(entries, firstOf(examples, (member) => objectStyleOf(site, member)) ?? inner)
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/** Only lists of texts serve as examples: lists of other values have their own layout. */
const listStyleOf = ({ text, style }: JsonSite, { value }: Member): Style | null =>
  text[value.start] === '[' && text[skipSpace(text, value.start + 1)] === '"'
    ? listStyle(text, value, style.colon)
    : null

const objectStyleOf = ({ text }: JsonSite, { value }: Member): Style | null =>
  text[value.start] === '{' ? objectStyle(text, value) : null

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
