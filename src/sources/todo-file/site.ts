/** Writes into one object of a JSON text: replaced values keep their layout, new ones get that of their neighbours. */
import { jsonText } from '../../views/json-text.ts'
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
}

type Entry = readonly [name: string, value: string]

/** The layout for an empty object, which shows none. */
const usual: Style = { open: '\n  ', between: '\n  ', close: '\n', colon: ': ' }

export const siteOf = (text: string, object: Span, members: readonly Member[], spread: boolean): JsonSite => ({
  text,
  object,
  members,
  style: objectStyle(text, object, members) ?? usual,
  spread,
})

export const writeEntries = (site: JsonSite, values: Values): Entry[] =>
  Object.entries(values).map(([name, value]) => [name, writeValue(site, name, value)])

export const writeWhole = (site: JsonSite, values: Values): string =>
  writeObject(writeEntries(site, values).map(keyed), site.style)

const keyed = ([name, value]: Entry): Entry => [JSON.stringify(name), value]

/** Replaces the values of existing members and appends the new ones. */
export function setMembers({ text, object, members, style }: JsonSite, entries: readonly Entry[]): Change[] {
  const fresh: Entry[] = []
  const changes: Change[] = []
  for (const entry of entries) {
    const span = memberNamed(members, entry[0])?.value
    if (span === undefined) fresh.push(keyed(entry))
    else if (!sameValue(text.slice(span.start, span.end), entry[1])) changes.push({ ...span, text: entry[1] })
  }
  if (fresh.length > 0) changes.push(addMembers(object, members.at(-1), fresh, style))
  return changes
}

/** A value that is equal but laid out differently is not rewritten. */
const sameValue = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))

function addMembers(object: Span, last: Member | undefined, fresh: readonly Entry[], style: Style): Change {
  if (last === undefined) return { ...object, text: writeObject(fresh, style) }
  const { end } = last.value
  return {
    start: end,
    end,
    text: fresh.map(([key, value]) => `,${style.between}${key}${style.colon}${value}`).join(''),
  }
}

/** Uses the layout of the value that it replaces, or that of its neighbours. */
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
