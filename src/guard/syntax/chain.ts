/** Reads a name with its member accesses and calls: `it.each(rows)('adds', fn)`, `self.client.get(url)`. */
import type { Tokens } from './tokens.ts'
import { closeOf, contentOf, isWord, plainOf, partsOf, textOf } from './tokens.ts'

export interface Part {
  name: string
  /** The opening bracket of its arguments; null when it is not called. */
  args: number | null
  /** The template literal that it is applied to. */
  template: number | null
}

/** The first part is the root. `end` is the token after the chain. */
export interface Chain {
  from: number
  end: number
  parts: Part[]
}

const longest = 60

export function readChain(tokens: Tokens, from: number): Chain {
  const parts: Part[] = [{ name: textOf(tokens, from), args: null, template: null }]
  let at = from + 1
  while (parts.length < longest) {
    const kind = tokens.kinds[at]
    if (kind === undefined || kind === 'word' || kind === 'string' || kind === 'number' || kind === 'close') break
    const token = textOf(tokens, at)
    if (kind === 'template' && token.startsWith('`')) {
      const whole = templateEnd(tokens, at)
      take(parts, { template: at })
      at = whole
    } else if ((token === '.' || token === '?.') && isWord(tokens, at + 1)) {
      parts.push({ name: textOf(tokens, at + 1), args: null, template: null })
      at += 2
    } else if (
      (token === '!' && /^[.(]/.test(textOf(tokens, at + 1)))
      || (token === '?.' && tokens.kinds[at + 1] === 'open')
    )
      at += 1
    else if (token === '(') {
      take(parts, { args: at })
      at = closeOf(tokens, at) + 1
    } else if (token === '[' && !beginsLine(tokens, at)) {
      parts.push({
        name: tokens.kinds[at + 1] === 'string' ? contentOf(tokens, at + 1) : '',
        args: null,
        template: null,
      })
      at = closeOf(tokens, at) + 1
    } else if (token === '<') {
      const closing = typeArguments(tokens, at)
      if (closing === null) break
      at = closing
    } else break
  }
  return { from, end: at, parts }
}

/** Arguments belong to the last name; calling the result of a call adds a part without a name. */
function take(parts: Part[], call: { args?: number; template?: number }): void {
  const last = parts.at(-1)
  const part =
    last !== undefined && last.args === null && last.template === null ? last : { name: '', args: null, template: null }
  if (part !== last) parts.push(part)
  part.args = call.args ?? null
  part.template = call.template ?? null
}

/** Returns the token after a template literal, which its embedded expressions split into several tokens. */
function templateEnd(tokens: Tokens, from: number): number {
  let at = from
  while (
    at < tokens.kinds.length
    && !/[^\\]`$|^`$/.test(at === from ? textOf(tokens, at).slice(1) : textOf(tokens, at))
  ) {
    at += 1
    if (tokens.kinds[at] === 'open') at = closeOf(tokens, at) + 1
    if (tokens.kinds[at] !== 'template') break
  }
  return at + 1
}

function typeArguments(tokens: Tokens, from: number): number | null {
  let depth = 0
  for (let at = from; at < from + 40 && at < tokens.kinds.length; at += 1) {
    const token = textOf(tokens, at)
    if (token === '<') depth += 1
    if (token === '>') depth -= 1
    if (tokens.kinds[at] === 'open') at = closeOf(tokens, at)
    if (depth === 0) return /^[(`]/.test(textOf(tokens, at + 1)) ? at + 1 : null
  }
  return null
}

/** Whether a token is the first on its line. */
export function beginsLine(tokens: Tokens, index: number): boolean {
  if (index === 0) return true
  return tokens.text.slice(tokens.to[index - 1], tokens.from[index]).includes('\n')
}

/** Returns the plain text of an argument, or an empty string. */
export function argument(tokens: Tokens, open: number | null, index: number): string {
  const part = open === null ? undefined : partsOf(tokens, open)[index]
  return part === undefined ? '' : plainOf(tokens, part.from, part.end)
}

export const called = (chain: Chain): Part[] => chain.parts.filter(({ args, name }) => args !== null && name !== '')
