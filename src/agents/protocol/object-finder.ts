/**
 * Finds JSON objects in arbitrary lines: one per line, pretty-printed, fenced, after a log prefix, colored. A pushdown
 * automaton tracks only the structure, so each character is read once for any input; JSON.parse validates each value
 * found.
 */
import { isObject } from '../../model/object.ts'

export interface ObjectFinder {
  /**
   * Returns the outermost objects that end on this line. Objects nested in another value, or in a broken one before its
   * flaw, are not returned.
   */
  push(line: string): Record<string, unknown>[]
  /** Drops the value in progress, because a part of it is missing. */
  interrupt(): void
  /** Whether no value is in progress. */
  isBetween(): boolean
  /** The caller found an object itself, so an earlier flaw is no longer the newest. */
  found(): void
  /** Describes the newest flaw in text that was meant to be JSON; null when there was none since the last object. */
  flaw(): string | null
}

type Expected = 'first-key' | 'key' | 'colon' | 'first-value' | 'value' | 'next'

const maxDepth = 100
const space = /[ \t\r\n]*/y
const scalar = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const opener = /[{[]/g

export function createObjectFinder(maxChars = 4 * 1024 * 1024): ObjectFinder {
  /** The closing brackets that are still expected. */
  let open: string[] = []
  let expected: Expected = 'value'
  let pieces: string[] = []
  let size = 0
  let meant = false
  let flaw: string | null = null

  const begin = (bracket: string): void => {
    open.push(bracket === '{' ? '}' : ']')
    expected = bracket === '{' ? 'first-key' : 'first-value'
  }
  const forget = (): void => {
    open = []
    pieces = []
    size = 0
    meant = false
  }

  /** Reads one token at `at`; returns where the next may begin, or -1 when the token is not allowed there. */
  const take = (line: string, at: number): number => {
    const char = line[at] ?? ''
    const wantsValue = expected === 'value' || expected === 'first-value'
    if (char === '"' && (wantsValue || expected === 'key' || expected === 'first-key')) {
      expected = wantsValue ? 'next' : 'colon'
      meant = true
      return stringEnd(line, at)
    }
    if ((char === '{' || char === '[') && wantsValue) {
      begin(char)
      return at + 1
    }
    if (char === open.at(-1) && (expected === 'next' || expected === 'first-key' || expected === 'first-value')) {
      open.pop()
      expected = 'next'
      return at + 1
    }
    if (char === ':' && expected === 'colon') {
      expected = 'value'
      return at + 1
    }
    if (char === ',' && expected === 'next') {
      expected = open.at(-1) === '}' ? 'key' : 'value'
      return at + 1
    }
    if (!wantsValue) return -1
    expected = 'next'
    return matchEnd(scalar, line, at)
  }

  /** Continues the value in progress; returns where it ended or broke. */
  const advance = (line: string, from: number): { at: number; whole: boolean } => {
    let at = from
    for (;;) {
      at = matchEnd(space, line, at)
      if (at >= line.length) return { at, whole: false }
      const next = take(line, at)
      if (next < 0) {
        if (meant) flaw = line.slice(Math.max(0, at - 40), at + 40)
        forget()
        return { at, whole: false }
      }
      at = next
      if (open.length === 0) return { at, whole: true }
      if (open.length > maxDepth) {
        // The rest of the line is nested too, so no part of it is a value of its own.
        forget()
        return { at: line.length, whole: false }
      }
    }
  }

  const push = (line: string): Record<string, unknown>[] => {
    const found: Record<string, unknown>[] = []
    let at = 0
    for (;;) {
      let start = at
      if (open.length === 0) {
        opener.lastIndex = at
        const next = opener.exec(line)
        if (next === null) return found
        start = next.index
        begin(next[0])
        at = start + 1
      }
      const { at: end, whole } = advance(line, at)
      at = end
      if (whole) {
        const value = parseObject([...pieces, line.slice(start, end)].join('\n'))
        forget()
        if (value === 'broken') flaw = line.slice(Math.max(0, end - 80), end)
        else if (value !== null) {
          found.push(value)
          flaw = null
        }
      } else if (open.length > 0) {
        pieces.push(start === 0 ? line : line.slice(start))
        size += line.length
        if (size > maxChars) {
          flaw = `a value of more than ${maxChars} characters`
          forget()
        }
        return found
      }
    }
  }
  return {
    push,
    interrupt: forget,
    isBetween: () => open.length === 0,
    found: () => {
      flaw = null
    },
    flaw: () => flaw,
  }
}

function matchEnd(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(line) ? pattern.lastIndex : -1
}

/** A string never spans lines, so one that is open at the end of its line is a flaw. */
function stringEnd(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code === 0x5c) at++
  }
  return -1
}

function parseObject(text: string): Record<string, unknown> | 'broken' | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return 'broken'
  }
}
