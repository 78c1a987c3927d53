/**
 * Scans JSON text for the positions of keys and values without parsing them. The text must be valid; it may have
 * comments and trailing commas.
 */

export interface Span {
  start: number
  /** The offset after the last character. */
  end: number
}

export interface Member {
  name: string
  key: Span
  value: Span
}

const quote = 0x22
const backslash = 0x5c
const [openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a]
const [slash, star] = [0x2f, 0x2a]
const restOfLine = /[^\r\n]*/y

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** Skips space and comments. An unclosed comment is not skipped. */
export function skipGap(text: string, start: number): number {
  for (let at = start; ;) {
    const space = skipSpace(text, at)
    at = skipComment(text, space)
    if (at === space) return at
  }
}

function skipComment(text: string, start: number): number {
  if (text.charCodeAt(start) !== slash) return start
  if (text.charCodeAt(start + 1) === slash) {
    restOfLine.lastIndex = start
    restOfLine.test(text)
    return restOfLine.lastIndex
  }
  const end = text.charCodeAt(start + 1) === star ? text.indexOf('*/', start + 2) : -1
  return end < 0 ? start : end + 2
}

/** Returns the offset after the string, or 0 when the string is not closed. */
export function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}

/** Returns the offset after the value that starts at `start`. */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return skipString(text, start)
  return first === openBrace || first === openBracket ? skipNested(text, start) : skipWord(text, start)
}

function skipNested(text: string, start: number): number {
  let depth = 0
  for (let at = start; ;) {
    const code = text.charCodeAt(at)
    if (code === quote || code === slash) {
      at = code === quote ? skipString(text, at) : skipComment(text, at)
      continue
    }
    at++
    if (code === openBrace || code === openBracket) depth++
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at
  }
}

function skipWord(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === comma || code === closeBrace || code === closeBracket || code === slash || isSpace(code)) break
  }
  return at
}

/** Members of the object that starts at `start`, in order. */
export function membersAt(text: string, start: number): Member[] {
  const members: Member[] = []
  for (let at = skipGap(text, start + 1); text.charCodeAt(at) !== closeBrace;) {
    const key = { start: at, end: skipString(text, at) }
    const value = valueAt(text, skipGap(text, skipGap(text, key.end) + 1))
    members.push({ name: nameOf(text.slice(key.start, key.end)), key, value })
    at = skipComma(text, value.end)
  }
  return members
}

/** Elements of the array that starts at `start`, in order. */
export function elementsAt(text: string, start: number): Span[] {
  const elements: Span[] = []
  for (let at = skipGap(text, start + 1); text.charCodeAt(at) !== closeBracket;) {
    const element = valueAt(text, at)
    elements.push(element)
    at = skipComma(text, element.end)
  }
  return elements
}

const valueAt = (text: string, start: number): Span => ({ start, end: skipValue(text, start) })

const nameOf = (key: string): string => (key.includes('\\') ? String(JSON.parse(key)) : key.slice(1, -1))

function skipComma(text: string, end: number): number {
  const at = skipGap(text, end)
  return text.charCodeAt(at) === comma ? skipGap(text, at + 1) : at
}

/** The offset of the comma after an entry; null when there is none. */
export function commaAfter(text: string, { end }: Span): number | null {
  const at = skipGap(text, end)
  return text.charCodeAt(at) === comma ? at : null
}

/** Counts the members of all objects and the depth of the deepest value in a text without comments. */
export function survey(text: string): { members: number; depth: number } {
  let [members, depth, deepest] = [0, 0, 0]
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = skipString(text, at)
      continue
    }
    at++
    if (code === colon) members++
    else if (code === openBrace || code === openBracket) deepest = Math.max(deepest, ++depth)
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return { members, depth: deepest }
}
