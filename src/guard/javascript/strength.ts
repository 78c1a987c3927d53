/** Rates a JavaScript assertion: it checks the value, a property of it, only its presence, or nothing. */
import type { Chain } from '../syntax/chain.ts'
import { argument } from '../syntax/chain.ts'
import { either, wordSet } from '../pattern.ts'
import type { Assertion, Level } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { partsOf } from '../syntax/tokens.ts'

const loose = wordSet(
  'toBeTruthy toBeDefined toBeFalsy exist exists ok isOk isDefined isNotNull isNotUndefined truthy falsy notThrow',
  'notThrows doesNotThrow doesNotReject anything isTruthy isNotEmpty toHaveReturned toBeAnything isFulfilled',
)
const partial = wordSet(
  'toMatchObject toContain toContainEqual toMatch toHaveProperty toBeInstanceOf toHaveBeenCalled toBeCalled toBeTypeOf',
  'toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual include includes contain match property',
  'a an instanceOf instanceof above below least most greaterThan lessThan toMatchSnapshot',
  'isAbove isBelow isAtLeast isAtMost typeOf like regex snapshot notEqual notStrictEqual notDeepEqual not called fail',
  'toBeVisible toBeInTheDocument',
  'toHaveBeenCalledOnce empty',
)
const throwing = new Set([
  'toThrow',
  'toThrowError',
  'throw',
  'throws',
  'throwsAsync',
  'rejects',
  'toThrowErrorMatchingInlineSnapshot',
])
const constant = /^(?:-? ?[\d.]+|'[^']*'|true|false|null|undefined|! [01]|\[ ?\]|\{ ?\})$/
/** Matchers that, negated, only check presence. */
const presence = /^to(?:Be(?:Null|Undefined|NaN|Nil)?|Equal)$|^(?:null|undefined)$/
const alwaysTrue = /(?:\|\||\?\?) (?:true|1|'[^']+')(?: \))*$/

/** Detects `expect(x || 1).toBe(1)` and `expect((x, 1)).toBe(1)`, where the fallback equals the expected value. */
const isFallback = (subject: string, expected: string): boolean =>
  (expected !== ''
    && [`|| ${expected}`, `?? ${expected}`, `|| ( ${expected} )`].some((end) => subject.endsWith(` ${end}`)))
  || (/^\( .* \)$/.test(subject) && subject.endsWith(` , ${expected} )`))

type Judged = Pick<Assertion, 'subject' | 'level' | 'bound' | 'throws'>

/** Rates `expect(x).toBe(1)` and similar: the first call has the subject, the last part is the matcher. */
export function judgeExpect(tokens: Tokens, chain: Chain): Judged {
  const at = chain.parts.findIndex(({ args }) => args !== null)
  const open = chain.parts[at]?.args ?? null
  const subject = argument(tokens, open, 0)
  const matchers = chain.parts.slice(at + 1).filter(({ name }) => name !== 'catch' && name !== 'then')
  const last = matchers.at(-1)
  if (last === undefined) return { subject, level: 0, bound: null }
  const negated = matchers.some(({ name }) => name === 'not')
  const expected = argument(tokens, last.args, 0)
  const given = last.args === null ? 0 : partsOf(tokens, last.args).length
  const empty =
    constant.test(subject) || subject === expected || alwaysTrue.test(subject) || isFallback(subject, expected)
  // In `expect([1, 2]).toContain(x)`, the subject is x.
  if (last.name === 'toContain' && /^\[ .* \]$/.test(subject) && !negated)
    return { subject: expected, level: empty ? 0 : 2, bound: null }
  const far = last.name === 'toBeCloseTo' && argument(tokens, last.args, 1).startsWith('- ')
  const level = empty ? 0 : far ? 1 : levelOf(last.name, expected, given, negated)
  return {
    subject,
    level,
    bound: boundOf(tokens, last.name, last.args),
    ...(throwing.has(last.name) ? { throws: true } : {}),
  }
}

/** Expected values that match anything. */
const says = either(
  /^expect \. (?:objectContaining|arrayContaining|stringContaining) \( (?:\{ \}|\[ \]|'')? ?\)$/,
  /^\( ?\w* ?\) => (?:true|1)$/,
)

/** Removes properties that match anything from an expected object. */
const bareOf = (expected: string): string =>
  expected.replace(/[\w']+ : expect \. any(?:thing)? \( \w* ?\)(?: ,)? ?/g, ' ').replace(/\s{2,}/g, '  ')

function levelOf(name: string, expected: string, given: number, negated: boolean): Level {
  if (/^expect \. (?:anything|any) \(/.test(expected)) return 1
  if (throwing.has(name))
    return negated || given === 0 ? 1 : /^(?:[A-Z]\w*|\w+ \. \w+)$/.test(expected) && given === 1 ? 2 : 3
  if (name === 'toMatchInlineSnapshot') return given === 0 ? 1 : 3
  if (loose.has(name) || says.test(expected) || (expected.startsWith('{') && bareOf(expected) === '{  }')) return 1
  if (negated) return presence.test(name) && !/\w{3,}/.test(expected.replace(/null|undefined/, '')) ? 1 : 2
  if (name === 'toBeInstanceOf') return expected === 'Object' ? 1 : 2
  if (/greater|above|least/i.test(name) && /^-|^0$/.test(expected)) return 1
  if (/less|below|most/i.test(name) && (/Infinity|MAX_/.test(expected) || Number(expected.replaceAll('_', '')) >= 1e6))
    return 1
  if (name === 'toMatchObject' && /^\{ ?\}$/.test(expected)) return 1
  return partial.has(name) ? 2 : 3
}

/** Rates `assert.equal(x, 1)`, `t.is(x, 1)` and `assert(x === 1)`: the subject is the first argument. */
export function judgeAssert(tokens: Tokens, chain: Chain): Judged {
  const last = chain.parts.findLast(({ args }) => args !== null)
  const subject = argument(tokens, last?.args ?? null, 0)
  const name = last === chain.parts[0] ? 'ok' : (last?.name ?? 'ok')
  const given = last?.args === null || last === undefined ? 0 : partsOf(tokens, last.args).length
  const bound = boundOf(tokens, name, last?.args ?? null)
  if (name === 'pass') return { subject, level: 0, bound }
  if (name === 'fail') return { subject, level: 2, bound }
  const condition = loose.has(name) || /^(?:isTrue|true|isFalse|false)$/.test(name)
  const expected = argument(tokens, last?.args ?? null, 1)
  if (constant.test(subject) && (condition || constant.test(expected))) return { subject, level: 0, bound }
  if (alwaysTrue.test(subject) || (given > 1 && subject === expected && !condition)) return { subject, level: 0, bound }
  if (throwing.has(name)) return { subject, level: given > 1 ? 3 : 1, bound, throws: true }
  return {
    subject,
    level: condition ? conditionLevel(subject, name) : levelOf(name, expected, given - 1, false),
    bound,
  }
}

/** Conditions that check a property of a value. */
const propertyCheck = either(
  /^! /,
  /\b(?:is|has)[A-Z]\w* \(/,
  / (?:[<>]=?|instanceof|in) /,
  /\. (?:includes|startsWith|endsWith|test|some|every|has|equals) \(/,
)

function conditionLevel(text: string, name: string): Level {
  if (/ (?:={2,3}|!==?) /.test(text)) return / !==? (?:null|undefined)$/.test(text) ? 1 : 3
  if (propertyCheck.test(text)) return 2
  return loose.has(name) ? 1 : 3
}

/** Returns the number that limits how far a value may deviate. */
function boundOf(tokens: Tokens, name: string, open: number | null): Assertion['bound'] {
  const number = (index: number): number =>
    Number(argument(tokens, open, index).replaceAll(' ', '').replaceAll('_', ''))
  const found = (value: number, lax: 'more' | 'less' | 'digits'): Assertion['bound'] =>
    Number.isFinite(value) ? { value, lax } : null
  if (name === 'toBeCloseTo') return found(argument(tokens, open, 1) === '' ? 2 : number(1), 'digits')
  if (name === 'closeTo' || name === 'approximately')
    return found(number(partsOf(tokens, open ?? 0).length > 2 ? 2 : 1), 'more')
  if (/^(?:toBeLess|below|most|lessThan)/.test(name)) return found(number(0), 'more')
  if (/^(?:toBeGreater|above|least|greaterThan)/.test(name)) return found(number(0), 'less')
  return null
}
