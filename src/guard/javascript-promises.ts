/** Which promises of JavaScript nobody waits for, so that a failure within them is nobody's. */
import type { Chain } from './chain.ts'
import { readChain } from './chain.ts'
import { isStatement } from './javascript-assertions.ts'
import type { TestScope } from './javascript-scopes.ts'
import type { TestCase } from './test-case.ts'
import type { Tokens } from './tokens.ts'
import { closeOf, isMark, lengthOf, textOf } from './tokens.ts'

/** Ways to see to it that a promise is settled before the test ends, or that its assertions are counted. */
const settling = new RegExp(
  '\\b(?:fakeAsync|waitForAsync|flush\\w*|tick|assertions|hasAssertions|plan|done)\\b|\\$(?:digest|apply)\\b'
    + '|\\b(?:run|advance)\\w*Tim(?:er|ers)\\w*|\\brunAllTicks\\b',
)
/** Their commands are queued, and `then` is one of them. */
const queueing = new Set(['cy', 'Cypress', 'browser'])

/** Names of this file that stand for async functions. */
export function asyncNames(tokens: Tokens): Set<string> {
  const names = new Set<string>()
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] !== 'word' || textOf(tokens, at) !== 'async') continue
    if (textOf(tokens, at + 1) === 'function' && tokens.kinds[at + 2] === 'word') names.add(textOf(tokens, at + 2))
    else if (isMark(tokens, at - 1, '=') && tokens.kinds[at - 2] === 'word') names.add(textOf(tokens, at - 2))
  }
  return names
}

/** Whether a test can end before what it started; one that is given something may be told by it when that is done. */
export const endsAtOnce = (test: TestScope | undefined): boolean => test?.context === '' && !settles(test.owner)

const known = new WeakMap<TestCase, boolean>()
function settles(test: TestCase): boolean {
  const found = known.get(test) ?? settling.test(test.body)
  known.set(test, found)
  return found
}

/** Whether what a chain promises is for nobody. `mentions`: how often a name stands in the test. */
export function isDropped(tokens: Tokens, chain: Chain, mentions: (name: string) => number): boolean {
  const from = textOf(tokens, chain.from - 1) === 'new' ? chain.from - 1 : chain.from
  if (textOf(tokens, from - 1) === '=')
    return tokens.kinds[from - 2] === 'word' && mentions(textOf(tokens, from - 2)) === 1
  return isStatement(tokens, { ...chain, from }, false)
}

/** A chain that goes on once something is done. */
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

/** `(async () => { ... })()` as a statement of its own. */
export const isStartedHere = (tokens: Tokens, open: number): boolean =>
  isMark(tokens, open, '(')
  && isAsyncAt(tokens, open)
  && textOf(tokens, closeOf(tokens, open) + 1) === '('
  && /^(?:[;{}]|void)$/.test(textOf(tokens, open - 1))

/** Whether a function is only ever started: `later()`. */
export const isOnlyStarted = (tokens: Tokens, places: readonly number[]): boolean =>
  places.length > 0
  && places.every((place) => isMark(tokens, place + 1, '(') && isStatement(tokens, readChain(tokens, place), false))
