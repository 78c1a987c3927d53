/**
 * Parses JSON, strict or with comments and trailing commas, and reports the position of an error, which JSON.parse
 * often does not.
 */
import { skipGap, skipSpace, skipString } from './json-spans.ts'
import { quote } from './quote.ts'

export interface SourcePosition {
  line: number
  /** In UTF-16 units, as editors count. */
  column: number
}

/**
 * Returns a function that maps an offset to line and column, both starting at 1. It finds the lines of the text only
 * once.
 */
export function positionIn(text: string): (at: number) => SourcePosition {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
  }
}

export class JsonProblem extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, text: string, at: number) {
    super(message)
    this.name = 'JsonProblem'
    const { line, column } = positionIn(text)(at)
    this.line = line
    this.column = column
  }
}

interface Cursor {
  text: string
  at: number
  depth: number
  strict: boolean
  /**
   * Called for a key that its object already has, with the offset of the repetition. Without it, a duplicate key is an
   * error.
   */
  onDuplicate?: (key: string, at: number) => void
}

/** People do not write deeper nesting; the limit protects the stack from hostile input. */
export const maxDepth = 100
export const tooDeep = `more than ${maxDepth} levels deep`
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const wordToken = /(?:true|false|null)\b/y
const words: Record<string, unknown> = { true: true, false: false, null: null }

/** Throws only JsonProblem. Keys like `__proto__` become ordinary own keys. */
export const parseJsonc = (text: string): unknown => parse({ text, at: 0, depth: 0, strict: false })

/**
 * Parses strict JSON: no comments, no trailing commas. Slower than JSON.parse, so use it after that failed or to find
 * duplicate keys.
 */
export const parseJson = (text: string, onDuplicate?: (key: string, at: number) => void): unknown =>
  parse({ text, at: 0, depth: 0, strict: true, onDuplicate })

function parse(cursor: Cursor): unknown {
  passGap(cursor)
  const value = readValue(cursor)
  passGap(cursor)
  if (cursor.at < cursor.text.length) fail(cursor, `unexpected ${found(cursor)} after the end`)
  return value
}

function fail(cursor: Cursor, message: string, at = cursor.at): never {
  throw new JsonProblem(message, cursor.text, at)
}

const found = ({ text, at }: Cursor): string =>
  at < text.length ? quote(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'end of file'

function passGap(cursor: Cursor): void {
  cursor.at = cursor.strict ? skipSpace(cursor.text, cursor.at) : skipGap(cursor.text, cursor.at)
  if (!cursor.strict && cursor.text.startsWith('/*', cursor.at)) fail(cursor, 'a comment that is not closed')
}

function take(cursor: Cursor, token: RegExp): string | null {
  token.lastIndex = cursor.at
  const match = token.exec(cursor.text)
  if (match === null) return null
  cursor.at = token.lastIndex
  return match[0]
}

/** Consumes a punctuation mark and the gap after it. */
function takeMark(cursor: Cursor, mark: string): boolean {
  if (cursor.text[cursor.at] !== mark) return false
  cursor.at++
  passGap(cursor)
  return true
}

function readValue(cursor: Cursor): unknown {
  const first = cursor.text[cursor.at]
  if (first === '{') return nested(cursor, readObject)
  if (first === '[') return nested(cursor, readArray)
  if (first === '"') return readString(cursor)
  const number = take(cursor, numberToken)
  if (number !== null) return Number(number)
  const word = take(cursor, wordToken)
  return word === null ? fail(cursor, `expected a value, found ${found(cursor)}`) : words[word]
}

function nested<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  if (++cursor.depth > maxDepth) fail(cursor, tooDeep)
  const value = read(cursor)
  cursor.depth--
  return value
}

function readString(cursor: Cursor): string {
  const at = cursor.at
  const end = skipString(cursor.text, at)
  const token = cursor.text.slice(at, end)
  // A string cannot contain a line break: the closing quote after one belongs to another string.
  if (end === 0 || token.includes('\n')) fail(cursor, 'a string that is not closed', at)
  cursor.at = end
  try {
    return String(JSON.parse(token))
  } catch {
    return fail(cursor, 'a string with a bad escape or a control character', at)
  }
}

/** Consumes the comma between two entries. */
function takeComma(cursor: Cursor, close: string): void {
  const at = cursor.at
  if (!takeMark(cursor, ',')) {
    if (cursor.text[at] !== close) fail(cursor, `expected "," or "${close}", found ${found(cursor)}`)
  } else if (cursor.strict && cursor.text[cursor.at] === close) fail(cursor, `a comma before "${close}"`, at)
}

function readArray(cursor: Cursor): unknown[] {
  const values: unknown[] = []
  takeMark(cursor, '[')
  while (!takeMark(cursor, ']')) {
    values.push(readValue(cursor))
    passGap(cursor)
    takeComma(cursor, ']')
  }
  return values
}

const twice =
  (cursor: Cursor) =>
  (key: string, at: number): never =>
    fail(cursor, `the key ${quote(key)} appears twice`, at)

function readObject(cursor: Cursor): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  takeMark(cursor, '{')
  while (!takeMark(cursor, '}')) {
    const at = cursor.at
    if (cursor.text[at] !== '"') fail(cursor, `expected a key in double quotes, found ${found(cursor)}`)
    const key = readString(cursor)
    if (entries.has(key)) (cursor.onDuplicate ?? twice(cursor))(key, at)
    passGap(cursor)
    if (!takeMark(cursor, ':')) fail(cursor, `expected ":" after the key, found ${found(cursor)}`)
    entries.set(key, readValue(cursor))
    passGap(cursor)
    takeComma(cursor, '}')
  }
  return Object.fromEntries(entries)
}
