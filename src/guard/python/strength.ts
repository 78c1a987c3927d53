/** Rates a Python assertion: it checks the value, a property of it, only its presence, or nothing. */
import type { Chain } from '../syntax/chain.ts'
import { argument } from '../syntax/chain.ts'
import { wordSet } from '../pattern.ts'
import type { Assertion, Level } from '../test-case.ts'
import type { Span, Tokens } from '../syntax/tokens.ts'
import { after, partsOf, plainOf, textOf } from '../syntax/tokens.ts'

type Judged = Pick<Assertion, 'subject' | 'level' | 'bound' | 'throws'>

const constant = /^(?:-? ?[\d.]+|'[^']*'|"[^"]*"|True|not False|None|\[ [^\]]+ \])$/
/** Conditions that check a property of a value. */
const propertyCheck = new RegExp(
  String.raw`^not |\b(?:is|has)_\w+ \(|^(?:isinstance|all|any|issubclass|hasattr|callable) \(|`
    + String.raw`\. (?:startswith|endswith|equals) \(`,
)
const alwaysTrue = /^True or | or (?:True|1)(?: \))*$/

/** Rates `assert x == 1`: the left side is the subject. Brackets around the whole condition are ignored. */
export function judgeCondition(tokens: Tokens, whole: Span): Judged {
  let span = whole
  while (isBracketed(tokens, span) && !isTuple(tokens, span)) span = { from: span.from + 1, end: span.end - 1 }
  const text = plainOf(tokens, span.from, span.end)
  const operator = operatorIn(tokens, span)
  const bound = toleranceIn(text)
  const subject = operator === null ? text.replace(/^not /, '') : plainOf(tokens, span.from, operator.at)
  if (constant.test(text) || alwaysTrue.test(text) || isTuple(tokens, span)) return { subject, level: 0, bound }
  const typed = /^(?:not )?isinstance \( (.*) , [\w. ]+ \)$/.exec(text)?.[1]
  if (operator === null) return { subject: typed ?? subject, level: propertyCheck.test(text) ? 2 : 1, bound }
  const expected = plainOf(tokens, operator.at + operator.length, span.end)
  if (subject === expected || (constant.test(subject) && constant.test(expected))) return { subject, level: 0, bound }
  if (operator.text === 'in' && /^(?:''|"")$/.test(subject)) return { subject, level: 0, bound }
  const level = isFarOff(expected) ? 1 : levelOf(operator.text, subject, expected)
  return { subject, level, bound: bound ?? boundOf(operator.text, expected) }
}

/** Detects tolerances that accept nearly anything: `approx(2, abs=100)`, `approx(2, rel=1e9)`. */
function isFarOff(expected: string): boolean {
  const [, value, kind, by] = /\bapprox \( (-? ?[\d.]+) , (rel|abs) = ([\d.]+(?:e\d+)?) \)/.exec(expected) ?? []
  if (value === undefined || kind === undefined) return false
  return Number(by) >= (kind === 'rel' ? 0.5 : Math.max(Math.abs(Number(value.replace(' ', ''))), 1e-9))
}

function levelOf(operator: string, subject: string, expected: string): Level {
  if (operator === '==' || operator === 'is') return 3
  if (operator === 'is not' || operator === '!=') return /^(?:None|0|''|""|\[ ?\]|\{ ?\})$/.test(expected) ? 1 : 2
  if (operator === '>=' && expected === '0' && subject.startsWith('len')) return 0
  if (operator.startsWith('>') && /^(?:0|- )/.test(expected)) return 1
  if (operator.startsWith('<') && /inf\b|maxsize/.test(expected)) return 1
  return 2
}

/** Returns the first comparison on this level. */
function operatorIn(tokens: Tokens, span: Span): { at: number; length: number; text: string } | null {
  for (let at = span.from; at < span.end; at = after(tokens, at)) {
    const token = textOf(tokens, at)
    const next = textOf(tokens, at + 1)
    if (token === 'lambda') return null
    if (token === 'is') return next === 'not' ? { at, length: 2, text: 'is not' } : { at, length: 1, text: 'is' }
    if (token === 'not' && next === 'in') return { at, length: 2, text: 'not in' }
    if (/^(?:==|!=|<=|>=|<|>|in)$/.test(token)) return { at, length: 1, text: token }
  }
  return null
}

const isBracketed = (tokens: Tokens, { from, end }: Span): boolean =>
  end - from > 2 && textOf(tokens, from) === '(' && tokens.pair[from] === end - 1

/** `assert (x == 1, 'message')` never fails, because a tuple that is not empty is true. */
const isTuple = (tokens: Tokens, span: Span): boolean =>
  isBracketed(tokens, span) && partsOf(tokens, span.from).length > 1

const loose = wordSet(
  'assertIsNotNone assert_called assertTrue assertFalse assert_ assertNotEqual is_not_none is_true assert_any_call',
)
const partial = wordSet(
  'assertIn assertIsInstance assertNotIn assertGreater assertGreaterEqual assertLess assertLessEqual assertRegex',
  'assertLogs assertWarns assert_called_once warns fail contains is_instance_of assertIsNot',
)

/** Rates `self.assertEqual(x, 1)`, `pytest.raises(ValueError, match=...)` and `mock.assert_called_with(1)`. */
export function judgeCall(tokens: Tokens, chain: Chain): Judged {
  const last = chain.parts.findLast(({ args }) => args !== null)
  const [open, name] = [last?.args ?? null, last?.name ?? '']
  const parts = open === null ? [] : partsOf(tokens, open)
  const [first, second] = [argument(tokens, open, 0), argument(tokens, open, 1)]
  const text = plainOf(tokens, chain.from, chain.end)
  const bound = toleranceIn(text)
  const judged = (subject: string, level: Level): Judged => ({ subject, level, bound })
  if (/^(?:assertTrue|assert_|is_true)$/.test(name) && parts[0] !== undefined) {
    const inner = judgeCondition(tokens, parts[0])
    return { ...inner, bound: inner.bound ?? bound }
  }
  if (/^(?:assertFalse|assertIsNotNone)$/.test(name) && constant.test(first.replace(/^False$/, '0')))
    return judged(first, 0)
  if (/[rR]aises/.test(name)) {
    if (/^(?:Base)?Exception$|[(,] (?:Base)?Exception [,)]/.test(first)) return judged('raises', 1)
    return judged('raises', /\bmatch = /.test(text) || name.endsWith('Regex') ? 3 : 2)
  }
  const empty = first === second || (constant.test(first) && constant.test(second))
  if (name.startsWith('assert') && parts.length > 1 && empty) return judged(first, 0)
  const mock =
    name.startsWith('assert_') && chain.parts.length > 1 && !/testing|np|numpy|pd|pandas/.test(text.slice(0, 30))
  return judged(
    mock ? plainOf(tokens, chain.from, (last?.args ?? chain.end) - 2) : first,
    loose.has(name) ? 1 : partial.has(name) ? 2 : 3,
  )
}

function toleranceIn(text: string): Assertion['bound'] {
  const found = /\b(?:rel|abs|rtol|atol|delta|rel_tol|abs_tol) = ([\d.]+(?:e ?-? ?\d+)?)/.exec(text)
  if (found !== null) return { value: Number((found[1] ?? '').replaceAll(' ', '')), lax: 'more' }
  const places = /\b(?:places|decimal) = (\d+)/.exec(text)
  return places === null ? null : { value: Number(places[1]), lax: 'digits' }
}

function boundOf(operator: string, expected: string): Assertion['bound'] {
  const value = Number(expected.replaceAll('_', '').replaceAll(' ', ''))
  if (!Number.isFinite(value) || expected === '') return null
  return operator.startsWith('<') ? { value, lax: 'more' } : operator.startsWith('>') ? { value, lax: 'less' } : null
}
