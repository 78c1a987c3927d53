/** Reads a JavaScript statement: how often the code in it and after it runs, and whether its errors are noticed. */
import { reasons } from '../test-case.ts'
import { beginsLine } from '../syntax/chain.ts'
import { isHereToo, truthOf } from '../syntax/conditions.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { closeOf, isMark, isWord, plainOf, textOf } from '../syntax/tokens.ts'
import { blockAfter, directly, endsBlock, statementEnd, whenRuns } from './blocks.ts'
import { jumpFrom, jumpsOfSwitch, reacting } from './jumps.ts'
import { enterFor } from './loops.ts'
import { addHelper, type Walk } from './walk.ts'

export const statementWords = new Set([
  'function',
  'for',
  'if',
  'while',
  'try',
  'return',
  'throw',
  'break',
  'continue',
  'switch',
])

/** `word` is the keyword at `at`, one of `statementWords`. */
export function readStatement(walk: Walk, at: number, word: string): void {
  const { tokens, scopes, brackets } = walk
  const next = textOf(tokens, at + 1)
  if (word === 'function') {
    const name = next === '*' ? at + 2 : at + 1
    const block = isWord(tokens, name) ? blockAfter(tokens, name) : null
    if (block !== null) addHelper(walk, textOf(tokens, name), closeOf(tokens, block))
  } else if (word === 'for' && (next === '(' || next === 'await')) enterFor(walk, next === '(' ? at + 1 : at + 2)
  else if ((word === 'if' || word === 'while') && next === '(') readCondition(walk, at, word)
  else if (word === 'try' && next === '{' && swallows(tokens, closeOf(tokens, at + 1))) {
    scopes.enter({ kind: 'void', end: closeOf(tokens, at + 1), why: reasons.caught })
  } else if (word === 'return') readReturn(walk, at)
  else if (word === 'throw') readThrow(walk, at)
  else if (word === 'break' || word === 'continue') {
    const jump = jumpFrom(tokens, at, brackets)
    if (jump !== null) scopes.jump(jump)
  } else if (word === 'switch' && next === '(') for (const jump of jumpsOfSwitch(tokens, at)) scopes.jump(jump)
}

function readCondition({ tokens, scopes }: Walk, at: number, word: string): void {
  const close = closeOf(tokens, at + 1)
  const condition = plainOf(tokens, at + 2, close, 40)
  const truth = truthOf(condition)
  const end = statementEnd(tokens, close + 1)
  if (truth === false) scopes.enter({ kind: 'void', end, why: reasons.untrue })
  if (truth !== null || word !== 'if' || isHereToo(condition)) return
  // When both branches assert, one of the assertions always runs.
  const other = textOf(tokens, end + 1) === 'else' ? plainOf(tokens, end + 2, statementEnd(tokens, end + 2) + 1) : ''
  if (!reacting.test(other)) scopes.enter({ kind: 'branch', end, condition })
}

function readReturn({ tokens, scopes, brackets }: Walk, at: number): void {
  const test = scopes.test()
  const block = brackets.at(-1)
  const bare = beginsLine(tokens, at + 1) || tokens.kinds[at + 1] === 'close' || isMark(tokens, at + 1, ';')
  if (bare && block !== test?.body && scopes.owner() !== undefined && endsBlock(tokens, at, block)) {
    scopes.enter({ kind: 'void', end: closeOf(tokens, block), why: reasons.unreached })
  }
  const when = test === undefined || test.returned < at ? null : whenRuns(tokens, at, brackets, test.body)
  if (test === undefined || when === null) return
  if (when.condition !== null) {
    if (bare) test.left ??= { at, condition: when.condition }
    return
  }
  // The returned expression may itself assert.
  test.returned = beginsLine(tokens, at + 1) || tokens.kinds[at + 1] === 'close' ? at : statementEnd(tokens, at + 1)
}

/** `if (x !== 1) throw ...` counts as an assertion. */
function readThrow({ tokens, scopes }: Walk, at: number): void {
  const close = textOf(tokens, at - 1) === '{' ? at - 2 : at - 1
  const open = textOf(tokens, close) === ')' ? (tokens.pair[close] ?? 0) : 0
  const mine = scopes.owner()
  if (open < 1 || textOf(tokens, open - 1) !== 'if' || mine === undefined) return
  const text = plainOf(tokens, open - 1, close + 1)
  const assertion = {
    text,
    subject: text,
    level: 2 as const,
    why: null,
    condition: null,
    bound: null,
    via: null,
    opaque: null,
  }
  mine.owner.assertions.push({ ...assertion, times: scopes.repeated('owner') })
}

/** Whether the handler of a `try` ignores the error. `close` is the end of the tried block. */
function swallows(tokens: Tokens, close: number): boolean {
  const caught = textOf(tokens, close + 1) === 'catch'
  const handler = !caught || textOf(tokens, close + 2) !== '(' ? close + 2 : closeOf(tokens, close + 2) + 1
  const last = caught ? closeOf(tokens, handler) : close
  // A `return` in `finally` discards the error.
  if (textOf(tokens, last + 1) === 'finally' && directly(tokens, last + 2, (token) => token === 'return') !== null)
    return true
  return caught && !reacting.test(plainOf(tokens, handler, closeOf(tokens, handler) + 1))
}
