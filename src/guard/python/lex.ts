/** Tokenizes Python into logical lines, each with its indentation and block. */
import { beginsWord, isDigit, numberEnd, wordEnd } from '../syntax/characters.ts'
import type { Tokens, TokenWriter } from '../syntax/tokens.ts'
import { lengthOf, textOf, tokenWriter } from '../syntax/tokens.ts'

export interface PythonLine {
  indent: number
  /** The first token of the line; `end` is the token after the last. */
  from: number
  end: number
  /** The index of the first line after its block. */
  blockEnd: number
}

export interface PythonText {
  tokens: Tokens
  lines: PythonLine[]
  /** Maps the names of top-level lists to their opening bracket. */
  constants: Map<string, number>
}

/** An unindented line that starts like this ends any bracket that was left open. */
const fresh = /^(?:def|class|async def|import|from|@)\b/
const longMarks = ['**', '==', '!=', '<=', '>=', '->', ':=', '//', '+=', '-=', '...']

export function lexPython(text: string): PythonText {
  const writer = tokenWriter(text)
  const lines: PythonLine[] = []
  let at = 0
  let indent = indentOf(text, 0)
  let from = 0
  const endLine = (next: number): void => {
    if (lengthOf(writer.tokens) > from) lines.push({ indent, from, end: lengthOf(writer.tokens), blockEnd: 0 })
    from = lengthOf(writer.tokens)
    indent = indentOf(text, next)
  }
  while (at < text.length) {
    const char = text.charAt(at)
    if (char === '\n') {
      const broken = writer.depth() > 0 && /\S/.test(text.charAt(at + 1)) && fresh.test(text.slice(at + 1, at + 12))
      if (writer.depth() === 0 || broken) endLine(at + 1)
      at += 1
    } else if (char === ' ' || char === '\t' || char === '\r' || char === '\f') at += 1
    else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) at = text.indexOf('\n', at) + 1
    else if (char === '#') at = nextLine(text, at)
    else at = readToken(writer, at)
    if (char === ';' && writer.depth() === 0) {
      const same = indent
      endLine(at)
      indent = same
    }
  }
  endLine(text.length)
  closeBlocks(lines)
  return { tokens: writer.tokens, lines, constants: constantsOf(writer.tokens, lines) }
}

function readToken(writer: TokenWriter, at: number): number {
  const { text } = writer.tokens
  const char = text.charAt(at)
  const code = text.charCodeAt(at)
  if (beginsWord(code)) {
    const end = wordEnd(text, at)
    const quote = text.charAt(end)
    // A prefix as in `f'...'` belongs to the string.
    if ((quote === '"' || quote === "'") && end - at <= 2) return readString(writer, at, end)
    writer.push('word', at, end)
    return end
  }
  if (isDigit(code)) {
    const end = numberEnd(text, at)
    writer.push('number', at, end)
    return end
  }
  if (char === '"' || char === "'") return readString(writer, at, at)
  if (char === '(' || char === '[' || char === '{') writer.open(at, at + 1)
  else if (char === ')' || char === ']' || char === '}') writer.close(at, at + 1)
  else {
    const end = at + (longMarks.find((mark) => text.startsWith(mark, at))?.length ?? 1)
    writer.push('mark', at, end)
    return end
  }
  return at + 1
}

function readString(writer: TokenWriter, start: number, at: number): number {
  const { text } = writer.tokens
  const quote = text.charAt(at)
  const long = text.startsWith(quote.repeat(3), at)
  const closer = long ? quote.repeat(3) : quote
  for (let end = at + closer.length; end < text.length; end += 1) {
    const char = text.charAt(end)
    if (char === '\\') end += 1
    else if (char === quote && text.startsWith(closer, end)) {
      writer.push('string', start, end + closer.length)
      return end + closer.length
    } else if (char === '\n' && !long) break
  }
  if (!long) {
    writer.push('mark', start, at + 1)
    return at + 1
  }
  writer.push('string', start, text.length)
  return text.length
}

function constantsOf(tokens: Tokens, lines: readonly PythonLine[]): Map<string, number> {
  const constants = new Map<string, number>()
  for (const { indent, from } of lines) {
    if (indent === 0 && textOf(tokens, from + 1) === '=' && tokens.kinds[from + 2] === 'open')
      constants.set(textOf(tokens, from), from + 2)
  }
  return constants
}

/** The block of a line ends at the next line that is not indented deeper. */
function closeBlocks(lines: PythonLine[]): void {
  const open: PythonLine[] = []
  lines.forEach((line, index) => {
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= line.indent) {
      const top = open.pop()
      if (top !== undefined) top.blockEnd = index
    }
    open.push(line)
  })
  for (const line of open) line.blockEnd = lines.length
}

function indentOf(text: string, at: number): number {
  let width = 0
  for (let position = at; position < text.length; position += 1) {
    const char = text.charAt(position)
    if (char === ' ') width += 1
    else if (char === '\t') width += 8 - (width % 8)
    else break
  }
  return width
}

const nextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}
