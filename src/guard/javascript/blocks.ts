/** Finds where statements, blocks and functions of JavaScript begin and end in the tokens. */
import { beginsLine } from '../syntax/chain.ts'
import { isHereToo, isOnlyElsewhere, truthOf } from '../syntax/conditions.ts'
import type { Span, Tokens } from '../syntax/tokens.ts'
import { after, closeOf, lengthOf, plainOf, textOf } from '../syntax/tokens.ts'

/** Limit in tokens: longer than any statement without a block. */
const longest = 500
/** Limit on nesting: deeper than real code. */
const deepest = 60

type Wanted = (token: string) => boolean

/** Returns the first matching token directly inside a bracket. */
export function directly(tokens: Tokens, open: number, wanted: Wanted): number | null {
  for (let at = open + 1; at < closeOf(tokens, open); at = after(tokens, at)) if (wanted(textOf(tokens, at))) return at
  return null
}

/** Returns the first matching token on this level, within the same statement and at most 40 steps ahead. */
export function soon(tokens: Tokens, from: number, wanted: Wanted): number | null {
  let at = from
  for (let steps = 0; steps < 40 && at < lengthOf(tokens); steps += 1) {
    const token = textOf(tokens, at)
    if (wanted(token)) return at
    if (token === ';' || tokens.kinds[at] === 'close') return null
    at = after(tokens, at)
  }
  return null
}

/** Returns the last token of the statement that begins here. */
export function statementEnd(tokens: Tokens, from: number): number {
  if (textOf(tokens, from) === '{') return closeOf(tokens, from)
  let at = from
  for (let steps = 0; steps < longest && at < lengthOf(tokens); steps += 1, at = after(tokens, at)) {
    if (tokens.kinds[at] === 'close') return at - 1
    const token = textOf(tokens, at)
    if (token === ';' || token === ',') return at
    if (
      at > from
      && beginsLine(tokens, at)
      && /^[\w$'"`{]/.test(token)
      && !/^[=.&|?:+,([{<>-]/.test(textOf(tokens, at - 1))
    )
      return at - 1
  }
  return at
}

/** Returns the block of a function whose name or parameters begin here. */
export function blockAfter(tokens: Tokens, from: number): number | null {
  const params = soon(tokens, from, (token) => token === '(')
  return params === null ? null : soon(tokens, closeOf(tokens, params) + 1, (token) => token === '{')
}

/** Returns the block of a test function, and the name of its first parameter. */
export function bodyOf(tokens: Tokens, body: Span | null): { body: number; context: string } {
  if (body === null) return { body: -1, context: '' }
  const arrow = soon(tokens, body.from, (token) => token === '=>')
  const block = arrow === null ? (blockAfter(tokens, body.from) ?? -1) : arrow + 1
  const open = textOf(tokens, body.from) === 'async' ? body.from + 1 : body.from
  const params = textOf(tokens, open) === '(' ? open : soon(tokens, open, (token) => token === '(')
  const bare = arrow === open + 1 ? textOf(tokens, open) : ''
  const first = params === null || (arrow !== null && params > arrow) ? bare : textOf(tokens, params + 1)
  return { body: block, context: /^\w+$/.test(first) ? first : '' }
}

/**
 * The condition under which a statement runs in its function, with null for always; null instead of the object when
 * unknown.
 */
export type When = { condition: string | null } | null

export function whenRuns(tokens: Tokens, at: number, brackets: readonly number[], body: number): When {
  let position = at
  let condition: string | null = null
  for (let depth = brackets.length - 1; depth >= Math.max(brackets.length - deepest, 0); depth -= 1) {
    const before = position - 1
    if (textOf(tokens, before) === 'else' || textOf(tokens, before) === '=>') return null
    const open = textOf(tokens, before) === ')' ? (tokens.pair[before] ?? 0) : null
    const word = open === null ? '' : textOf(tokens, open - 1)
    if (open !== null && /^(?:if|while|for)$/.test(word)) {
      const text = plainOf(tokens, open + 1, before, 40)
      const truth = truthOf(text)
      if (word !== 'if' && (condition !== null || !beginsAnyway(word, text))) return null
      if (truth === false || isOnlyElsewhere(text)) return null
      if (word === 'if' && truth === null && !/\bprocess \. env\b/.test(text)) condition = text
    } else if (position !== at && !isPlainBlock(tokens, position)) return null
    const enclosing = brackets[depth] ?? -1
    if (enclosing === body) return { condition }
    position = enclosing
  }
  return null
}

/** Whether a loop runs at least once. */
const beginsAnyway = (word: string, text: string): boolean =>
  word === 'while' ? truthOf(text) === true : / of \[ [^\]]/.test(text) || text === ''

/** Whether a block, possibly labeled, runs unconditionally as part of its surroundings. */
function isPlainBlock(tokens: Tokens, open: number): boolean {
  const before = textOf(tokens, open - 1)
  if (textOf(tokens, open) !== '{') return false
  if (before !== ':') return /^(?:[{};]|do)$/.test(before)
  const beyond = textOf(tokens, open - 3)
  return (
    /^[{};]$/.test(beyond)
    || (beginsLine(tokens, open - 2) && !/^(?:default|case)$/.test(textOf(tokens, open - 2)) && beyond !== '?')
  )
}

/** Whether a statement stands directly in the block and is not the branch of an `if`, a loop, an `else` or a `case`. */
export function endsBlock(tokens: Tokens, at: number, block: number | undefined): block is number {
  if (block === undefined || textOf(tokens, block) !== '{') return false
  const before = textOf(tokens, at - 1)
  if (before === 'else' || before === ':' || before === ')')
    return before === ')' && !/^(?:if|while|for)$/.test(wordBefore(tokens, at - 1))
  return !(textOf(tokens, block - 1) === ')' && wordBefore(tokens, block - 1) === 'switch')
}

const wordBefore = (tokens: Tokens, close: number): string => textOf(tokens, (tokens.pair[close] ?? 0) - 1)

const operators = new Set(['&&', '||', '?'])

/** Returns when an operand is reached: in `x && expect(...)`, the left side decides it. */
export function whenReached(tokens: Tokens, from: number): { never: boolean; condition: string | null } | null {
  const operator = textOf(tokens, from - 1)
  if (!operators.has(operator)) return null
  let start = from - 1
  for (let steps = 0; steps < 12 && start > 0; steps += 1) {
    const before = start - 1
    const token = textOf(tokens, before)
    if (/^(?:[;,{}(=]|=>|return|&&|\|\||\?|await)$/.test(token) || (beginsLine(tokens, start) && start < from - 1))
      break
    start = token === ')' || token === ']' ? Math.min(tokens.pair[before] ?? before, before) : before
  }
  const condition = plainOf(tokens, start, from - 1, 40)
  const truth = truthOf(condition)
  if (truth !== null) return { never: truth === (operator === '||'), condition: null }
  const elsewhere = operator === '||' ? isOnlyElsewhere(condition) : isHereToo(condition)
  return { never: false, condition: operator === '?' || elsewhere ? null : condition }
}
