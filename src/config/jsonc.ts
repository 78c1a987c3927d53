/** Reads JSON as people write it, with comments and trailing commas, and says where it is wrong: JSON.parse often does not. */
import { quote } from './quote.ts'

export class JsonProblem extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, text: string, at: number) {
    super(message)
    this.name = 'JsonProblem'
    const before = text.slice(0, at).split('\n')
    this.line = before.length
    this.column = (before.at(-1)?.length ?? 0) + 1
  }
}

interface Cursor {
  text: string
  at: number
  depth: number
}

/** Deeper nesting is an attack on the stack, not a configuration. */
const maxDepth = 100
const gap = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\//y
const stringToken = /"(?:[^"\\\n]|\\.)*"/y
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const wordToken = /(?:true|false|null)\b/y
const words: Record<string, unknown> = { true: true, false: false, null: null }

/** Throws JsonProblem, and nothing else. Keys like `__proto__` become ordinary own keys. */
export function parseJsonc(text: string): unknown {
  const cursor: Cursor = { text, at: 0, depth: 0 }
  skipGap(cursor)
  const value = readValue(cursor)
  skipGap(cursor)
  if (cursor.at < text.length) fail(cursor, `unexpected ${found(cursor)} after the end`)
  return value
}

function fail(cursor: Cursor, message: string, at = cursor.at): never {
  throw new JsonProblem(message, cursor.text, at)
}

const found = ({ text, at }: Cursor): string => at < text.length ? quote(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'end of file'

function skipGap(cursor: Cursor): void {
  while (take(cursor, gap) !== null);
  if (cursor.text.startsWith('/*', cursor.at)) fail(cursor, 'a comment that is not closed')
}

function take(cursor: Cursor, token: RegExp): string | null {
  token.lastIndex = cursor.at
  const match = token.exec(cursor.text)
  if (match === null) return null
  cursor.at = token.lastIndex
  return match[0]
}

/** Takes a mark and the gap after it. */
function takeMark(cursor: Cursor, mark: string): boolean {
  if (cursor.text[cursor.at] !== mark) return false
  cursor.at++
  skipGap(cursor)
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
  if (++cursor.depth > maxDepth) fail(cursor, `more than ${maxDepth} levels deep`)
  const value = read(cursor)
  cursor.depth--
  return value
}

function readString(cursor: Cursor): string {
  const at = cursor.at
  const token = take(cursor, stringToken) ?? fail(cursor, 'a string that is not closed')
  try {
    return String(JSON.parse(token))
  } catch {
    return fail(cursor, 'a string with a bad escape or a control character', at)
  }
}

function readArray(cursor: Cursor): unknown[] {
  const values: unknown[] = []
  takeMark(cursor, '[')
  while (!takeMark(cursor, ']')) {
    values.push(readValue(cursor))
    skipGap(cursor)
    if (!takeMark(cursor, ',') && cursor.text[cursor.at] !== ']') fail(cursor, `expected "," or "]", found ${found(cursor)}`)
  }
  return values
}

function readObject(cursor: Cursor): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  takeMark(cursor, '{')
  while (!takeMark(cursor, '}')) {
    const at = cursor.at
    if (cursor.text[at] !== '"') fail(cursor, `expected a key in double quotes, found ${found(cursor)}`)
    const key = readString(cursor)
    if (entries.has(key)) fail(cursor, `the key ${quote(key)} appears twice`, at)
    skipGap(cursor)
    if (!takeMark(cursor, ':')) fail(cursor, `expected ":" after the key, found ${found(cursor)}`)
    entries.set(key, readValue(cursor))
    skipGap(cursor)
    if (!takeMark(cursor, ',') && cursor.text[cursor.at] !== '}') fail(cursor, `expected "," or "}", found ${found(cursor)}`)
  }
  return Object.fromEntries(entries)
}
