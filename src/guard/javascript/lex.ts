/**
 * Tokenizes JavaScript, TypeScript and JSX, and separates strings, templates, regular expressions and element text from
 * code.
 */
import { beginsWord, isDigit, isSpace, numberEnd, wordEnd } from '../syntax/characters.ts'
import { wordSet } from '../pattern.ts'
import type { Tokens, TokenWriter } from '../syntax/tokens.ts'
import { textOf, tokenWriter } from '../syntax/tokens.ts'

/** An expression follows these words, so a slash starts a regular expression and `<` an element. */
const beforeExpression = wordSet('return typeof case in of do else void await yield new delete default')
const longMarks = [
  '===',
  '!==',
  '**=',
  '...',
  '>>>',
  '=>',
  '?.',
  '??',
  '||',
  '&&',
  '==',
  '!=',
  '<=',
  '>=',
  '++',
  '--',
  '**',
  '+=',
  '-=',
]

/** What continues when the bracket at this depth is closed: a template literal or an element. */
interface Embedding {
  depth: number
  kind: 'template' | 'tag' | 'content'
  elements: number
}

export function lexJavaScript(text: string, jsx: boolean): Tokens {
  const writer = tokenWriter(text)
  const embeddings: Embedding[] = []
  let at = text.startsWith('#!') ? lineEnd(text, 0) : 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) at += 1
    else if (beginsWord(code) || code === 0x40 || code === 0x23) {
      const end = wordEnd(text, at)
      writer.push('word', at, end)
      at = end
    } else if (isDigit(code)) {
      const end = numberEnd(text, at)
      writer.push('number', at, end)
      at = end
    } else at = readOther(writer, embeddings, at, jsx)
  }
  return writer.tokens
}

function readOther(writer: TokenWriter, embeddings: Embedding[], at: number, jsx: boolean): number {
  const { text } = writer.tokens
  switch (text.charAt(at)) {
    case '"':
    case "'":
      return readString(writer, at)
    case '`':
      return readTemplate(writer, embeddings, at, at + 1)
    case '(':
    case '[':
    case '{':
      writer.open(at, at + 1)
      return at + 1
    case ')':
    case ']':
    case '}':
      return readClose(writer, embeddings, at)
    case '/':
      if (text.charAt(at + 1) === '/') return lineEnd(text, at)
      if (text.charAt(at + 1) === '*') return endOf(text, '*/', at + 2)
      return expressionBegins(writer.tokens) ? readRegExp(writer, at) : readMark(writer, at)
    case '<':
      return jsx && elementBegins(writer.tokens, at)
        ? readElement(writer, embeddings, at, 'tag', 0)
        : readMark(writer, at)
    case '.':
    case ',':
    case ';':
    case ':':
      if (text.charAt(at + 1) === '.') return readMark(writer, at)
      writer.push('mark', at, at + 1)
      return at + 1
    default:
      return readMark(writer, at)
  }
}

function readMark(writer: TokenWriter, at: number): number {
  const long = longMarks.find((mark) => writer.tokens.text.startsWith(mark, at))
  const end = at + (long?.length ?? 1)
  writer.push('mark', at, end)
  return end
}

/** A quote that is not closed on its line is not a string, but an apostrophe in text or a broken file. */
function readString(writer: TokenWriter, at: number): number {
  const { text } = writer.tokens
  const quote = text.charAt(at)
  for (let end = at + 1; end < text.length; end += 1) {
    const char = text.charAt(end)
    if (char === '\\') end += 1
    else if (char === quote) {
      writer.push('string', at, end + 1)
      return end + 1
    } else if (char === '\n') break
  }
  writer.push('mark', at, at + 1)
  return at + 1
}

function readTemplate(writer: TokenWriter, embeddings: Embedding[], start: number, from: number): number {
  const { text } = writer.tokens
  for (let end = from; end < text.length; end += 1) {
    const char = text.charAt(end)
    if (char === '\\') end += 1
    else if (char === '`') {
      writer.push('template', start, end + 1)
      return end + 1
    } else if (char === '$' && text.charAt(end + 1) === '{') {
      writer.push('template', start, end)
      embeddings.push({ depth: writer.depth(), kind: 'template', elements: 0 })
      writer.open(end, end + 2)
      return end + 2
    }
  }
  writer.push('template', start, text.length)
  return text.length
}

function readClose(writer: TokenWriter, embeddings: Embedding[], at: number): number {
  writer.close(at, at + 1)
  const top = embeddings.at(-1)
  if (top === undefined || writer.depth() > top.depth) return at + 1
  embeddings.pop()
  if (top.kind === 'template') return readTemplate(writer, embeddings, at + 1, at + 1)
  return readElement(writer, embeddings, at + 1, top.kind, top.elements)
}

function readRegExp(writer: TokenWriter, at: number): number {
  const { text } = writer.tokens
  let bracket = false
  for (let end = at + 1; end < text.length; end += 1) {
    const char = text.charAt(end)
    if (char === '\n') break
    if (char === '\\') end += 1
    else if (char === '[') bracket = true
    else if (char === ']') bracket = false
    else if (char === '/' && !bracket) {
      while (/[a-z]/.test(text.charAt(end + 1))) end += 1
      writer.push('regexp', at, end + 1)
      return end + 1
    }
  }
  return readMark(writer, at)
}

function expressionBegins(tokens: Tokens): boolean {
  const last = tokens.kinds.length - 1
  const kind = tokens.kinds[last]
  if (kind === undefined || kind === 'open') return true
  if (kind === 'close') return textOf(tokens, last) === '}'
  return kind === 'mark' ? true : kind === 'word' && beforeExpression.has(textOf(tokens, last))
}

/** `<T,>` and `<T extends` start the type parameters of a function. */
const elementBegins = (tokens: Tokens, at: number): boolean =>
  /^<(?:>|[A-Za-z]\w*(?!\w|\s*,|\s+extends\b))/.test(tokens.text.slice(at, at + 60)) && expressionBegins(tokens)

/** Reads an element: its tags and text are not code, but the content of braces is. */
function readElement(
  writer: TokenWriter,
  embeddings: Embedding[],
  from: number,
  kind: 'tag' | 'content',
  elements: number,
): number {
  const { text } = writer.tokens
  let mode = kind
  let open = elements
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '{') {
      embeddings.push({ depth: writer.depth(), kind: mode, elements: open })
      writer.open(at, at + 1)
      return at + 1
    }
    if (mode === 'content') {
      if (char !== '<') continue
      mode = 'tag'
      if (text.charAt(at + 1) !== '/') continue
      at = endOf(text, '>', at) - 1
      open -= 1
      if (open <= 0) return at + 1
      mode = 'content'
    } else if (char === '"' || char === "'") at = endOf(text, char, at + 1) - 1
    else if (char === '>') {
      if (text.charAt(at - 1) !== '/') open += 1
      if (open <= 0) return at + 1
      mode = 'content'
    }
  }
  return text.length
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

const endOf = (text: string, mark: string, at: number): number => {
  const end = text.indexOf(mark, at)
  return end < 0 ? text.length : end + mark.length
}
