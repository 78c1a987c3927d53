/** Reads a JavaScript call: what it defines, skips, asserts or repeats, and whether its failure is noticed. */
import type { Helper, TestCase } from '../test-case.ts'
import { mostAssertions, reasons } from '../test-case.ts'
import { called, readChain, type Chain } from '../syntax/chain.ts'
import { closeOf, isMark, plainOf, textOf } from '../syntax/tokens.ts'
import { withAssertName } from './assert-names.ts'
import { assertionIn } from './assertions.ts'
import { whenReached } from './blocks.ts'
import { define } from './define.ts'
import { reacting } from './jumps.ts'
import { enterLoopMethod, loopMethods } from './loops.ts'
import { endsAtOnce, isDropped, isPromise } from './promises.ts'
import { readEnding, skipsFromWithin } from './skip-calls.ts'
import { definitionOf } from './test-calls.ts'
import { addHelper, knownAlias, plainTest, type Walk } from './walk.ts'

const control = new Set(['while', 'switch', 'catch', 'with', 'super', 'await', 'typeof'])
/** A function that tests call is given the test by this name. */
const usualContext = 't'
const later = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'requestAnimationFrame'])

export function readCall(walk: Walk, at: number): void {
  const { tokens, scopes, constants } = walk
  const chain = readChain(tokens, at)
  const known = isSubtest(walk, chain) ? () => plainTest : (name: string) => knownAlias(walk, name)
  const definition = definitionOf(tokens, chain, known, constants)
  const inside = scopes.test() !== undefined
  if (definition !== null && (definition.body !== null || (definition.named && !inside)))
    return define(walk, chain, definition)
  if (skipsFromWithin(walk, chain)) return
  const [root] = chain.parts
  readEnding(walk, chain)
  const method = chain.parts.length === 1 && isMark(tokens, chain.end, '{')
  if (method && !inside && root !== undefined && root.args !== null && !control.has(root.name)) {
    return addHelper(walk, root.name, closeOf(tokens, chain.end))
  }
  const mine = scopes.owner()
  const last = chain.parts.at(-1)
  if (mine !== undefined) recordCall(walk, chain, mine.owner, mine.kind === 'test' ? mine.context : usualContext)
  const unheard = mine === undefined ? null : unheardOf(walk, chain)
  if (unheard !== null) scopes.enter({ kind: 'void', end: chain.end - 1, why: unheard })
  if (last !== undefined && last.args !== null && loopMethods.has(last.name) && chain.parts.length > 1)
    enterLoopMethod(walk, last.args, { from: at, end: chain.end })
}

/** Whether the chain is `t.test('...', ...)` within a test. */
const isSubtest = ({ scopes }: Walk, { parts: [root, second, ...more] }: Chain): boolean =>
  more.length === 0 && second?.name === 'test' && root?.name === scopes.test()?.context

/** Returns why failures inside the chain go unnoticed, or null. */
function unheardOf(walk: Walk, chain: Chain): string | null {
  const { tokens, scopes } = walk
  const [root] = chain.parts
  const caught = chain.parts.find(({ name, args }) => name === 'catch' && args !== null)?.args ?? null
  const handler = caught === null || root?.name === 'expect' ? null : plainOf(tokens, caught, closeOf(tokens, caught))
  if (handler !== null && !reacting.test(handler)) return reasons.caught
  const test = scopes.test()
  const timed = later.has(root?.name ?? '') && test?.context === ''
  const dropped = (): boolean => isPromise(tokens, chain) && endsAtOnce(test) && isDroppedHere(walk, chain)
  return (timed || dropped()) && !isPromised(walk) ? reasons.unawaited : null
}

function isDroppedHere({ tokens, scopes, placesOf }: Walk, chain: Chain): boolean {
  const test = scopes.test()
  return test !== undefined && isDropped(tokens, chain, (name) => placesOf(name, test.body, test.end).length)
}

const isPromised = ({ tokens, brackets }: Walk): boolean =>
  brackets.slice(-20).some((open) => textOf(tokens, open - 1) === 'Promise')

/** Adds the assertions and calls of the chain to the test or helper that it is in. */
function recordCall(walk: Walk, chain: Chain, owner: TestCase | Helper, context: string | null): void {
  const { tokens, scopes, asyncs, asserts } = walk
  if (owner.assertions.length >= mostAssertions) return
  const reached = whenReached(tokens, chain.from)
  const asynchronous = chain.parts.length === 1 && asyncs.has(chain.parts[0]?.name ?? '')
  const started = asynchronous && endsAtOnce(scopes.test()) && isDroppedHere(walk, chain) && !isPromised(walk)
  const why = scopes.hidden('owner') ?? (reached?.never === true ? reasons.untrue : started ? reasons.unawaited : null)
  const condition = reached?.condition ?? scopes.condition('owner')
  for (const assertion of assertionIn(tokens, withAssertName(chain, asserts), context)) {
    const times = scopes.repeated('owner')
    owner.assertions.push({ ...assertion, condition, times, ...(why === null ? {} : { level: 0 as const, why }) })
  }
  if (why === null) for (const { name } of called(chain)) owner.calls.push(name)
}
