/** Detects promises of JavaScript that are not awaited, so that a failure in them goes unnoticed. */
import type { Chain } from '../syntax/chain.ts'
import { readChain } from '../syntax/chain.ts'
import { isStatement } from './assertions.ts'
import type { TestScope } from './scopes.ts'
import type { TestCase } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { closeOf, isMark, lengthOf, textOf } from '../syntax/tokens.ts'

/** Ways to settle a promise before the test ends, or to count its assertions. */
const settling = new RegExp(
  '\\b(?:fakeAsync|waitForAsync|flush\\w*|tick|assertions|hasAssertions|plan|done)\\b|\\$(?:digest|apply)\\b'
    + '|\\b(?:run|advance)\\w*Tim(?:er|ers)\\w*|\\brunAllTicks\\b',
)
/** These libraries queue commands, and `then` is one of them. */
const queueing = new Set(['cy', 'Cypress', 'browser'])

/** Returns the names of the async functions of this file. */
export function asyncNames(tokens: Tokens): Set<string> {
  const names = new Set<string>()
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] !== 'word' || textOf(tokens, at) !== 'async') continue
    if (textOf(tokens, at + 1) === 'function' && tokens.kinds[at + 2] === 'word') names.add(textOf(tokens, at + 2))
    else if (isMark(tokens, at - 1, '=') && tokens.kinds[at - 2] === 'word') names.add(textOf(tokens, at - 2))
  }
  return names
}

/** Whether a test can end before the work that it started. A test with a parameter may be notified through it. */
export const endsAtOnce = (test: TestScope | undefined): boolean => test?.context === '' && !settles(test.owner)

const known = new WeakMap<TestCase, boolean>()
function settles(test: TestCase): boolean {
  const found = known.get(test) ?? settling.test(test.body)
  known.set(test, found)
  return found
}

/** Whether the promise of a chain is not used. `mentions` counts how often a name occurs in the test. */
export function isDropped(tokens: Tokens, chain: Chain, mentions: (name: string) => number): boolean {
  const from = textOf(tokens, chain.from - 1) === 'new' ? chain.from - 1 : chain.from
  if (textOf(tokens, from - 1) === '=')
    return tokens.kinds[from - 2] === 'word' && mentions(textOf(tokens, from - 2)) === 1
  return isStatement(tokens, { ...chain, from }, false)
}

/** Whether a chain continues after a promise. */
export function isPromise(tokens: Tokens, { parts }: Chain): boolean {
  const last = parts.at(-1)
  if (queueing.has(parts[0]?.name ?? '')) return false
  return (
    parts.slice(1).some(({ name, args }) => args !== null && (name === 'then' || name === 'finally'))
    || (last?.name === 'map' && isAsyncAt(tokens, last.args))
  )
}

/** Whether the first argument is an async function. */
export const isAsyncAt = (tokens: Tokens, open: number | null): boolean =>
  open !== null && textOf(tokens, open + 1) === 'async'

/** Whether `(async () => { ... })()` stands as a statement of its own here. */
export const isStartedHere = (tokens: Tokens, open: number): boolean =>
  isMark(tokens, open, '(')
  && isAsyncAt(tokens, open)
  && textOf(tokens, closeOf(tokens, open) + 1) === '('
  && /^(?:[;{}]|void)$/.test(textOf(tokens, open - 1))

/** Whether a function is always called as a statement, without `await`: `later()`. */
export const isOnlyStarted = (tokens: Tokens, positions: readonly number[]): boolean =>
  positions.length > 0
  && positions.every((index) => isMark(tokens, index + 1, '(') && isStatement(tokens, readChain(tokens, index), false))
