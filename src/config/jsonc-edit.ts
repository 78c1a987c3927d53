/** Edits one value in a JSONC file, and preserves its comments, order and style. */
import { commaAfter, membersAt, skipGap, skipValue, type Member, type Span } from '../platform/json-spans.ts'
import { JsonProblem, parseJsonc } from '../platform/jsonc.ts'

interface Style {
  unit: string
  eol: string
  /** The space between a name and its value, and between values on one line. */
  space: string
  /** Whether everything is on one line. */
  flat: boolean
}

/**
 * Sets a value, or removes it when it is undefined. Throws JsonProblem when the text cannot be parsed, or is not an
 * object.
 */
export function editJsonc(text: string, path: readonly string[], value: unknown): string {
  const content = text.trim() === '' ? '{}\n' : text
  parseJsonc(content)
  const start = skipGap(content, 0)
  const root = { start, end: skipValue(content, start) }
  if (!isObjectAt(content, root)) throw new JsonProblem('expected an object: { … }', content, start)
  return value === undefined ? take(content, root, path) : put(content, root, path, value, styleOf(text, root))
}

const isObjectAt = (text: string, { start }: Span): boolean => text[start] === '{'

function styleOf(text: string, root: Span): Style {
  const [first] = isObjectAt(text, root) ? membersAt(text, root.start) : []
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = first === undefined ? null : /\n([ \t]+)$/.exec(text.slice(0, first.key.start))?.[1]
  const flat = first !== undefined && !text.slice(root.start, root.end).includes('\n')
  const tight = first !== undefined && text[first.value.start - 1] === ':'
  return { unit: unit ?? '  ', eol, flat, space: tight ? '' : ' ' }
}

function put(
  text: string,
  object: Span,
  [name = '', ...rest]: readonly string[],
  value: unknown,
  style: Style,
): string {
  const member = membersAt(text, object.start).find((each) => each.name === name)
  if (member === undefined) return insert(text, object, name, nest(rest, value), style)
  if (rest.length > 0 && isObjectAt(text, member.value)) return put(text, member.value, rest, value, style)
  const shown = print(nest(rest, value), indentAt(text, member.key.start), style)
  return text.slice(0, member.value.start) + shown + text.slice(member.value.end)
}

const nest = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)

function insert(text: string, object: Span, name: string, value: unknown, style: Style): string {
  const last = membersAt(text, object.start).at(-1)
  const lines = text.slice(object.start, object.end).includes('\n') || (last === undefined && !style.flat)
  const indent = last === undefined ? indentAt(text, object.start) + style.unit : indentAt(text, last.key.start)
  const member = `${JSON.stringify(name)}:${style.space}${print(value, indent, { ...style, flat: !lines })}`
  if (last !== undefined)
    return append(text, last, lines ? `${style.eol}${indent}${member}` : `${style.space}${member}`, lines)
  const inside = text.slice(object.start + 1, object.end - 1).trimEnd()
  const before = text.slice(0, object.start + 1) + inside
  const end = lines ? `${style.eol}${indentAt(text, object.start)}` : style.space
  return `${before}${lines ? `${style.eol}${indent}` : style.space}${member}${end}${text.slice(object.end - 1)}`
}

/** A comment after the last member, on the same line, stays with it. */
function append(text: string, { value }: Member, added: string, lines: boolean): string {
  const comma = commaAfter(text, value)
  const after = comma === null ? value.end : comma + 1
  const end = lines
    ? after + (/^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(after))?.[0].length ?? 0)
    : after
  const [before, last] = comma === null ? [',', ''] : ['', ',']
  return `${text.slice(0, value.end)}${before}${text.slice(value.end, end)}${added}${last}${text.slice(end)}`
}

function take(text: string, object: Span, [name = '', ...rest]: readonly string[]): string {
  const members = isObjectAt(text, object) ? membersAt(text, object.start) : []
  const index = members.findIndex((each) => each.name === name)
  const member = members[index]
  if (member === undefined) return text
  if (rest.length > 0) return take(text, member.value, rest)
  const cut = without(text, member)
  const previous = members[index - 1]
  const left = previous === undefined ? null : commaAfter(text, previous.value)
  // Remove the comma of the previous member, which would be a trailing one.
  return commaAfter(text, member.value) !== null || left === null ? cut : cut.slice(0, left) + cut.slice(left + 1)
}

/** A member alone on its lines is removed with them; a comment after it stays. */
function without(text: string, { key: { start }, value }: Member): string {
  const comma = commaAfter(text, value)
  const end = comma === null ? value.end : comma + 1
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const alone = text.slice(lineStart, start).trim() === ''
  const [tail = ''] = /^[ \t]*(?:\r?\n)?/.exec(text.slice(end)) ?? []
  if (alone && tail.endsWith('\n')) return text.slice(0, lineStart) + text.slice(end + tail.length)
  const [before, behind] = [text.slice(0, start), text.slice(end)]
  return comma === null ? before.replace(/[ \t]+$/, '') + behind : before + behind.replace(/^[ \t]+/, '')
}

/** Returns the indentation of the line. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? ''

/** Short lists stay on one line. */
function print(value: unknown, indent: string, style: Style): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = (entry: unknown): string => print(entry, indent + style.unit, style)
  const entries = Array.isArray(value)
    ? value.map(inner)
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}:${style.space}${inner(entry)}`)
  const [open, close] = Array.isArray(value) ? (['[', ']'] as const) : (['{', '}'] as const)
  if (entries.length === 0) return open + close
  const pad = open === '{' ? style.space : ''
  const short = entries.join(`,${style.space}`)
  if (style.flat || (open === '[' && short.length <= 80 && !short.includes('\n')))
    return `${open}${pad}${short}${pad}${close}`
  const lines = entries.map((entry) => `${indent}${style.unit}${entry}`).join(`,${style.eol}`)
  return `${open}${style.eol}${lines}${style.eol}${indent}${close}`
}
