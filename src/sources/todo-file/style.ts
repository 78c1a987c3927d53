/** Detects the layout of a piece of JSON, so that additions look the same. */
import { elementsAt, membersAt, type Member, type Span } from '../../platform/json-spans.ts'

/**
 * The white space after the opening bracket, after each comma and before the closing bracket, and the text between key
 * and value.
 */
export interface Style {
  open: string
  between: string
  close: string
  colon: string
}

export const isWide = ({ open }: Style): boolean => open.includes('\n')

/** Returns the layout of an object; null when it is empty and shows none. */
export function objectStyle(
  text: string,
  object: Span,
  members: readonly Member[] = membersAt(text, object.start),
): Style | null {
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined) return null
  const colon = text.slice(last.key.end, last.value.start)
  const open = text.slice(object.start + 1, first.key.start)
  const close = text.slice(last.value.end, object.end - 1)
  return {
    open,
    between:
      betweenTwo(
        text,
        members.map(({ key, value }) => ({ start: key.start, end: value.end })),
      ) ?? alone(open, colon),
    close,
    colon,
  }
}

/**
 * Returns the layout of a list; null when it is empty and shows none. `colon` is taken from the surrounding objects.
 */
export function listStyle(
  text: string,
  list: Span,
  colon: string,
  elements: readonly Span[] = elementsAt(text, list.start),
): Style | null {
  const [first, last] = [elements[0], elements.at(-1)]
  if (first === undefined || last === undefined) return null
  const open = text.slice(list.start + 1, first.start)
  return {
    open,
    between: betweenTwo(text, elements) ?? alone(open, colon),
    close: text.slice(last.end, list.end - 1),
    colon,
  }
}

/** With a single entry, a space after the colon suggests a space after the comma. */
const alone = (open: string, colon: string): string => (open === '' && /\s$/.test(colon) ? ' ' : open)

/** Returns the white space after the last comma. */
function betweenTwo(text: string, entries: readonly Span[]): string | null {
  const [previous, last] = entries.slice(-2)
  if (previous === undefined || last === undefined) return null
  return text.slice(text.indexOf(',', previous.end) + 1, last.start)
}

/** Returns the layout one level further in: with one entry per line if `wide`, else on one line. */
export function innerStyle(outer: Style, wide: boolean): Style {
  const { colon } = outer
  if (!isWide(outer) || !wide) return { open: '', between: /\s$/.test(colon) ? ' ' : '', close: '', colon }
  const open = outer.open + stepOf(outer)
  return { open, between: open, close: outer.open, colon }
}

/** Returns the indentation of the members relative to the brackets. */
function stepOf({ open, close }: Style): string {
  const [inside, outside] = [indentOf(open), indentOf(close)]
  return inside.startsWith(outside) && inside.length > outside.length ? inside.slice(outside.length) : '  '
}

const indentOf = (gap: string): string => gap.slice(gap.lastIndexOf('\n') + 1)

export const writeList = (values: readonly string[], { open, between, close }: Style): string =>
  values.length === 0 ? '[]' : `[${open}${values.join(`,${between}`)}${close}]`

export const writeObject = (
  entries: readonly (readonly [key: string, value: string])[],
  { open, between, close, colon }: Style,
): string =>
  entries.length === 0
    ? '{}'
    : `{${open}${entries.map(([key, value]) => key + colon + value).join(`,${between}`)}${close}}`
