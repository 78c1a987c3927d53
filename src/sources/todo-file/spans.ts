/**
 * Finds the parts of a JSON text without reading them: where a key or a value begins and ends. The text must be valid
 * JSON.
 */

export interface Span {
  start: number
  /** After its last character. */
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

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

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

/** The place after the value that begins there. */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return skipString(text, start)
  return first === openBrace || first === openBracket ? skipNested(text, start) : skipWord(text, start)
}

function skipNested(text: string, start: number): number {
  let depth = 0
  for (let at = start; ;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = skipString(text, at)
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
    if (code === comma || code === closeBrace || code === closeBracket || isSpace(code)) break
  }
  return at
}

/** Of the object that begins there, in their order. */
export function membersAt(text: string, start: number): Member[] {
  const members: Member[] = []
  for (let at = skipSpace(text, start + 1); text.charCodeAt(at) !== closeBrace;) {
    const key = { start: at, end: skipString(text, at) }
    const value = valueAt(text, skipSpace(text, skipSpace(text, key.end) + 1))
    members.push({ name: nameOf(text.slice(key.start, key.end)), key, value })
    at = skipComma(text, value.end)
  }
  return members
}

/** Of the list that begins there, in their order. */
export function elementsAt(text: string, start: number): Span[] {
  const elements: Span[] = []
  for (let at = skipSpace(text, start + 1); text.charCodeAt(at) !== closeBracket;) {
    const element = valueAt(text, at)
    elements.push(element)
    at = skipComma(text, element.end)
  }
  return elements
}

const valueAt = (text: string, start: number): Span => ({ start, end: skipValue(text, start) })

const nameOf = (key: string): string => (key.includes('\\') ? String(JSON.parse(key)) : key.slice(1, -1))

function skipComma(text: string, end: number): number {
  const at = skipSpace(text, end)
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at
}

/** How many members all objects have together, and how deep the deepest value lies. */
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
