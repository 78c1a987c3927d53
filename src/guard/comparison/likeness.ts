/** Measures the similarity of two tests: the words of their bodies, their calls and their literal values. */
import { wordSet } from '../pattern.ts'
import type { TestCase } from '../test-case.ts'

export interface Profile {
  words: Set<string>
  calls: Set<string>
  values: Set<string>
  plain: string
}

const longest = 20_000
const word = /"[^"\n]{0,200}"|'[^'\n]{0,200}'|[A-Za-z_$][\w$]*|\d[\w.]*/g
/** Words that occur in all tests, and so do not show similarity. */
const ofTesting = wordSet(
  'expect not deepEqual strictEqual is ok t test it describe each for raises fail forEach map',
  'len str int range list dict',
  'print require self async await function const let def return approx parametrize param assert equal equals',
)
const isOfTesting = (token: string): boolean => ofTesting.has(token) || /^(?:assert\w|to[A-Z])/.test(token)

const profiles = new WeakMap<TestCase, Profile>()

export function profileOf(test: TestCase): Profile {
  const known = profiles.get(test)
  if (known !== undefined) return known
  const body = withoutComments(test.body.slice(0, longest))
  const tokens = `${body}\n${test.table.slice(0, longest)}`.match(word) ?? []
  const profile = {
    words: new Set(tokens.map(bare).filter((token) => !isOfTesting(token))),
    calls: new Set(test.calls.filter((name) => !isOfTesting(name))),
    values: new Set(tokens.filter((token) => /^["'\d]/.test(token)).map(bare)),
    plain: body.replace(/[\s;]+/g, '').replace(/"/g, "'"),
  }
  profiles.set(test, profile)
  return profile
}

const bare = (token: string): string => token.replace(/^["']|["']$/g, '')

function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let open = text.indexOf('/*'); open >= 0; open = text.indexOf('/*', at)) {
    parts.push(text.slice(at, open))
    const close = text.indexOf('*/', open)
    at = close < 0 ? text.length : close + 2
  }
  return [...parts, text.slice(at)].join('').replace(/(^|\s)(?:\/\/|# )[^\n]*/g, '$1')
}

const shared = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const [small, large] = left.size < right.size ? [left, right] : [right, left]
  let count = 0
  for (const each of small) if (large.has(each)) count += 1
  return count
}

/** Returns a value from 0 to 1. */
export function likeness(left: TestCase, right: TestCase): number {
  const [a, b] = [profileOf(left), profileOf(right)]
  if (a.plain === b.plain) return 1
  const both = shared(a.words, b.words)
  const all = a.words.size + b.words.size - both
  return all === 0 ? 0 : both / all
}

/** Whether a test may have taken over the checks of another: it makes the same calls, and has most of its values. */
export function areKin(lost: TestCase, other: TestCase): boolean {
  const [a, b] = [profileOf(lost), profileOf(other)]
  if (a.calls.size > 0 && shared(a.calls, b.calls) === 0) return false
  if (a.calls.size === 0 && shared(a.words, b.words) === 0 && a.words.size > 0) return false
  const least = Math.min(a.values.size, other.rows === null ? 0 : b.values.size)
  return least === 0 || shared(a.values, b.values) >= least * 0.6
}

/** Whether two tests of the same name have related content. */
export function areRelated(left: TestCase, right: TestCase): boolean {
  const [a, b] = [profileOf(left), profileOf(right)]
  if (a.words.size === 0 || b.words.size === 0) return true
  return shared(a.calls, b.calls) > 0 || shared(a.words, b.words) * 4 >= Math.min(a.words.size, b.words.size)
}
