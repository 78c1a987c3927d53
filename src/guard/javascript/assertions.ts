/** Detects the calls that assert something in JavaScript. */
import type { Chain } from '../syntax/chain.ts'
import { beginsLine } from '../syntax/chain.ts'
import { judgeAssert, judgeExpect } from './strength.ts'
import { wordSet } from '../pattern.ts'
import type { Assertion } from '../test-case.ts'
import { reasons, soundsLikeAssertion } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { closeOf, plainOf, textOf } from '../syntax/tokens.ts'

const helpers = wordSet(
  'assertions hasAssertions extend any anything objectContaining arrayContaining stringContaining stringMatching',
  'closeTo addSnapshotSerializer getState configure use',
)
const ofContext = wordSet(
  'is not deepEqual notDeepEqual equal equals notEqual strictEqual ok notOk true false truthy falsy throws throwsAsync',
  'notThrows doesNotThrow pass fail like regex match snapshot same strictSame rejects resolves assert error',
  'deepLooseEqual looseEqual notSame has hasStrict matchSnapshot',
)
type Judged = Pick<Assertion, 'subject' | 'level' | 'bound' | 'throws'>

const rethrowing = /\b(?:throw|expect|assert\w*|fail|done|reject)\b/

/** Returns the assertions of a chain. `context` is the name of the first parameter of the test function. */
export function assertionIn(tokens: Tokens, chain: Chain, context: string | null): Assertion[] {
  const [root, second] = chain.parts
  if (root === undefined) return []
  const make = (judged: Judged): Assertion => {
    const why = judged.level === 0 ? null : neverSeen(tokens, chain)
    const text = plainOf(tokens, chain.from, chain.end)
    return {
      text,
      ...judged,
      ...(why === null ? {} : { level: 0 }),
      why,
      condition: null,
      times: 1,
      via: null,
      opaque: null,
    }
  }
  const makeWhole = (level: Judged['level']): Assertion =>
    make({ subject: plainOf(tokens, chain.from, chain.end), level, bound: null })
  const chai = root.name === 'chai' && second !== undefined ? second.name : root.name
  if (chai === 'expect') {
    if (root.args === null && second !== undefined && helpers.has(second.name)) return []
    if (second !== undefined && /^(?:fail|unreachable)$/.test(second.name)) return [makeWhole(2)]
    return chain.parts.some(({ args }) => args !== null) ? [make(judgeExpect(tokens, chain))] : []
  }
  const ava = context !== null && root.name === context && second !== undefined && ofContext.has(second.name)
  if (chai === 'assert' || ava || (root.name === 'sinon' && second?.name === 'assert')) {
    return chain.parts.some(({ args }) => args !== null) ? [make(judgeAssert(tokens, chain))] : []
  }
  if (/^(?:expectTypeOf|assertType|expectType|expectError)$/.test(root.name)) return [makeWhole(3)]
  if (root.name === 'fail' && root.args !== null) return [makeWhole(2)]
  const said = chain.parts
    .slice(1)
    .filter(({ name, args }) => (name === 'expect' && args !== null) || name === 'should' || name === 'must')
  const judged = (): Judged =>
    said[0]?.name === 'should' ? judgeShould(tokens, chain) : { subject: root.name, level: 3, bound: null }
  if (said.length > 0) return said.map(() => make(judged()))
  const last = chain.parts.at(-1)
  const opaque =
    last !== undefined && last.args !== null && soundsLikeAssertion(last.name) && isStatement(tokens, chain)
  return opaque ? [{ ...makeWhole(2), opaque: last.name }] : []
}

/** Rates `x.should.equal(1)` and `cy.get(y).should('have.text', 'z')`. */
function judgeShould(tokens: Tokens, chain: Chain): Judged {
  const at = chain.parts.findIndex(({ name }) => name === 'should')
  const subject = plainOf(tokens, chain.from, chain.from + 1)
  if (chain.parts[at]?.args !== null) {
    const open = chain.parts[at]?.args ?? 0
    const loose = /^\( '(?:exist|be\.visible|not\.be\.null)' \)$/.test(plainOf(tokens, open, closeOf(tokens, open) + 1))
    return { subject, level: loose ? 1 : 3, bound: null }
  }
  const judged = judgeExpect(tokens, {
    ...chain,
    parts: [{ name: 'expect', args: null, template: null }, ...chain.parts.slice(at + 1)],
  })
  return { ...judged, subject, level: /^(?:ok|exist)$/.test(chain.parts.at(-1)?.name ?? '') ? 1 : 3 }
}

/** Returns why a failure of the assertion goes unnoticed: it is caught, never called, or its promise is dropped. */
function neverSeen(tokens: Tokens, chain: Chain): string | null {
  const caught = chain.parts.find(({ name }) => name === 'catch')
  if (caught !== undefined && caught.args !== null) {
    if (!rethrowing.test(plainOf(tokens, caught.args, closeOf(tokens, caught.args)))) return reasons.caught
  }
  const last = chain.parts.at(-1)
  const [root, second] = chain.parts
  const isCalled = last === undefined || last.args !== null || last.template !== null
  if (root?.name === 'expect' && !isCalled && /^to[A-Z]/.test(last.name)) return 'it is not called'
  const promised =
    root?.name === 'expect'
      ? chain.parts.some(({ name }) => name === 'resolves' || name === 'rejects')
      : root?.name === 'assert' && second !== undefined && /^(?:rejects|doesNotReject)$/.test(second.name)
  return promised && isStatement(tokens, chain, false) ? reasons.unawaited : null
}

/** Whether the chain is a statement whose value is not used. */
export function isStatement(tokens: Tokens, chain: Chain, awaited = true): boolean {
  const before = chain.from - 1
  const token = before < 0 ? ';' : textOf(tokens, before)
  if (token === 'await') return awaited
  if (token === ';' || token === '{' || token === '}' || token === 'void') return true
  return (
    beginsLine(tokens, chain.from)
    && /^(?:close|word|string|number|template)$/.test(tokens.kinds[before] ?? '')
    && token !== 'return'
  )
}
