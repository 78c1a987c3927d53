/**
 * Splits a text into tokens with paired brackets, which is enough to find tests. It reads in one pass without
 * backtracking, so that a hostile file costs no more than an honest one of its size. A parser with error recovery
 * cannot guarantee that.
 */

export type TokenKind = 'word' | 'number' | 'string' | 'template' | 'regexp' | 'mark' | 'open' | 'close'

export interface Tokens {
  text: string
  kinds: TokenKind[]
  from: number[]
  to: number[]
  /**
   * The index of the matching bracket; for other tokens their own index. A bracket that is never closed ends with the
   * text.
   */
  pair: number[]
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

export interface TokenWriter {
  tokens: Tokens
  push: (kind: TokenKind, from: number, to: number) => void
  open: (from: number, to: number) => void
  /** Closes the innermost bracket of this kind; a bracket that was not opened is ignored. */
  close: (from: number, to: number) => void
  depth: () => number
}

export function tokenWriter(text: string): TokenWriter {
  const tokens: Tokens = { text, kinds: [], from: [], to: [], pair: [] }
  const opened: { index: number; closer: string }[] = []
  const waiting: Record<string, number> = { ')': 0, ']': 0, '}': 0 }
  const push = (kind: TokenKind, from: number, to: number): void => {
    tokens.pair.push(tokens.kinds.length)
    tokens.kinds.push(kind)
    tokens.from.push(from)
    tokens.to.push(to)
  }
  const shut = (at: number): void => {
    const top = opened.pop()
    if (top === undefined) return
    waiting[top.closer] = (waiting[top.closer] ?? 1) - 1
    tokens.pair[top.index] = at
  }
  return {
    tokens,
    push,
    open: (from, to) => {
      const closer = closers[text.charAt(to - 1)] ?? ''
      push('open', from, to)
      const index = tokens.kinds.length - 1
      tokens.pair[index] = Number.MAX_SAFE_INTEGER
      opened.push({ index, closer })
      waiting[closer] = (waiting[closer] ?? 0) + 1
    },
    close: (from, to) => {
      const closer = text.charAt(from)
      if ((waiting[closer] ?? 0) === 0) return
      push('close', from, to)
      const index = tokens.kinds.length - 1
      while (opened.length > 0 && opened.at(-1)?.closer !== closer) shut(index)
      tokens.pair[index] = opened.at(-1)?.index ?? index
      shut(index)
    },
    depth: () => opened.length,
  }
}

export const lengthOf = (tokens: Tokens): number => tokens.kinds.length

export const textOf = (tokens: Tokens, index: number): string => tokens.text.slice(tokens.from[index], tokens.to[index])

/** Whether a token is this single character. */
export const isMark = (tokens: Tokens, index: number, char: string): boolean =>
  (tokens.to[index] ?? 0) - (tokens.from[index] ?? 0) === 1 && tokens.text[tokens.from[index] ?? 0] === char

/** Whether a name is a member access: `a.b`, `a?.b`. */
export const isMember = (tokens: Tokens, index: number): boolean => {
  if (tokens.kinds[index - 1] !== 'mark') return false
  const to = tokens.to[index - 1] ?? 0
  return tokens.text.charCodeAt(to - 1) === 0x2e && to - (tokens.from[index - 1] ?? 0) < 3
}

export const isWord = (tokens: Tokens, index: number): boolean => tokens.kinds[index] === 'word'

/** Returns the matching closing bracket, never past the end. */
export const closeOf = (tokens: Tokens, open: number): number =>
  Math.min(tokens.pair[open] ?? open, tokens.kinds.length)

export const sliceOf = (tokens: Tokens, from: number, end: number): string =>
  tokens.text.slice(tokens.from[from] ?? tokens.text.length, tokens.to[Math.min(end, tokens.kinds.length) - 1] ?? 0)

/** Joins tokens with single spaces, so that texts that differ only in layout and comments are equal. */
export function plainOf(tokens: Tokens, from: number, end: number, most = 120): string {
  const parts: string[] = []
  const stop = Math.min(end, tokens.kinds.length, from + most)
  for (let index = from; index < stop; index += 1) {
    const token = textOf(tokens, index)
    const last = token === ',' && tokens.kinds[index + 1] === 'close'
    if (token !== ';' && !last) parts.push(tokens.kinds[index] === 'string' ? quoted(token) : token)
  }
  return parts.join(' ')
}

/** Single and double quotes make the same string. */
const quoted = (token: string): string => {
  const quote = token.at(-1)
  return quote === '"' && token.startsWith('"') && !token.includes("'") ? `'${token.slice(1, -1)}'` : token
}

export const mostPlaces = 20

export interface Span {
  from: number
  end: number
}

/** Returns the parts between the commas directly within a bracket; a trailing comma adds none. */
export function partsOf(tokens: Tokens, open: number): Span[] {
  const close = closeOf(tokens, open)
  const parts: Span[] = []
  let from = open + 1
  for (let index = open + 1; index < close; index = after(tokens, index)) {
    if (!isMark(tokens, index, ',')) continue
    if (index > from) parts.push({ from, end: index })
    from = index + 1
  }
  if (close > from) parts.push({ from, end: close })
  return parts
}

/** Returns the next token on the same level: a bracket counts as one step. */
export const after = (tokens: Tokens, index: number): number =>
  tokens.kinds[index] === 'open' ? Math.max(closeOf(tokens, index), index) + 1 : index + 1

/** Returns a function that finds a word between two positions, up to `mostPlaces` times. */
export function wordFinder(tokens: Tokens): (word: string, from: number, end: number) => number[] {
  const positions = new Map<string, number[]>()
  tokens.kinds.forEach((kind, index) => {
    if (kind !== 'word') return
    const known = positions.get(textOf(tokens, index))
    if (known === undefined) positions.set(textOf(tokens, index), [index])
    else known.push(index)
  })
  return (word, from, end) => {
    const known = positions.get(word) ?? []
    let [low, high] = [0, known.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((known[middle] ?? 0) < from) low = middle + 1
      else high = middle
    }
    return known.slice(low, low + mostPlaces).filter((position) => position < end)
  }
}

/** Returns the content of a string token. */
export function contentOf(tokens: Tokens, index: number): string {
  return textOf(tokens, index)
    .replace(/^[A-Za-z]{0,3}("""|'''|["'`])/, '')
    .replace(/("""|'''|["'`])$/, '')
}
