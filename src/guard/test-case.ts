/** What is known of a test, whatever language it is written in. */

/** 3: says what exactly; 2: something about it; 1: only that it is there; 0: nothing, it cannot fail. */
export type Level = 0 | 1 | 2 | 3

export interface Assertion {
  /** As tokens with single spaces, so that layout does not matter. */
  text: string
  /** What it is about. */
  subject: string
  level: Level
  /** Why it can no longer fail, when that is not in its text. */
  why: string | null
  /** What must hold for it to be reached; null: nothing. */
  condition: string | null
  /** How often it runs within its test; null when that depends on something else. */
  times: number | null
  /** A number that bounds it: as `more`, a greater one lets more pass; as `less`, a smaller one; of `digits`, fewer. */
  bound: { value: number; lax: 'more' | 'less' | 'digits' } | null
  /** About what is thrown, which has more than one good description. */
  throws?: true
  /** The helper of another name that it stands in. */
  via: string | null
  /**
   * The name of a function that sounds like it asserts; what it really does is known only when it is part of the
   * change.
   */
  opaque: string | null
}

/** Why an assertion or a test says nothing any more. */
export const reasons = {
  unreached: 'it is never reached',
  jumped: 'it is jumped over',
  untrue: 'it stands under a condition that is never true',
  caught: 'its failure is caught and passed over',
  returned: 'it returns before it asserts anything',
  uncalled: 'nothing calls what it stands in',
  unawaited: 'nothing waits for it',
} as const

/** What is kept of a body: enough to know it again. */
export const longestBody = 20_000
/** More than any honest test has; those beyond do not count. */
export const mostAssertions = 2000

/** A way to keep tests from running, and whom it concerns when that is a group of them. */
export interface Mark {
  how: string
  group: string | null
}

export interface TestCase {
  file: string
  path: string[]
  name: string
  skipped: Mark | null
  focused: Mark | null
  /**
   * What makes it run less surely than others: a condition around it, a feature, retries. What it checks is compared
   * all the same.
   */
  gate: string | null
  /** How many cases its table has, 1 without one; null when that depends on something else. */
  rows: number | null
  assertions: Assertion[]
  /** What it calls, once for each time. */
  calls: string[]
  body: string
  /** Its table, where that stands elsewhere. */
  table: string
}

/** A function that is not a test but asserts, or that calls what does. */
export interface Helper {
  file: string
  name: string
  assertions: Assertion[]
  calls: string[]
}

export interface TestFile {
  tests: TestCase[]
  helpers: Helper[]
}

export const fullName = (test: Pick<TestCase, 'path' | 'name'>): string => [...test.path, test.name].join(' > ')

/** Sounds like something that asserts. */
export const soundsLikeAssertion = (name: string): boolean =>
  /^(?:expect|assert|verify|should|ensure|check|must)(?:[A-Z_]|$)/.test(name)

export const times = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? null : Math.min(left * right, 100_000)
