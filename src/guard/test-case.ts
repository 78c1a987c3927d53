/** Describes a test independently of its language. */

/** 3: checks the exact value; 2: a property of it; 1: only its presence; 0: nothing, it cannot fail. */
export type Level = 0 | 1 | 2 | 3

export interface Assertion {
  /** Tokens separated by single spaces, so that layout does not matter. */
  text: string
  /** The expression that it checks. */
  subject: string
  level: Level
  /** Why it cannot fail, when its text does not show it. */
  why: string | null
  /** The condition to reach it; null when it is always reached. */
  condition: string | null
  /** How often it runs in its test; null when unknown. */
  times: number | null
  /**
   * A numeric limit. `lax` says which change makes it weaker: `more` a greater value, `less` a smaller one, `digits`
   * fewer.
   */
  bound: { value: number; lax: 'more' | 'less' | 'digits' } | null
  /** Whether it checks a thrown error, which can be described in several equally strong ways. */
  throws?: true
  /** The name of the helper that contains it; null when the test itself does. */
  via: string | null
  /**
   * The name of a called function that looks like an assertion. Its effect is known only when the function is part of
   * the change.
   */
  opaque: string | null
}

/** Reasons why an assertion or a test has no effect. */
export const reasons = {
  unreached: 'it is never reached',
  jumped: 'it is jumped over',
  untrue: 'it stands under a condition that is never true',
  caught: 'its failure is caught and passed over',
  returned: 'it returns before it asserts anything',
  uncalled: 'nothing calls what it stands in',
  unawaited: 'nothing waits for it',
} as const

/** Limit on the kept text of a body: enough to recognize it. */
export const longestBody = 20_000
/** Limit per test, more than any honest test has; further assertions are ignored. */
export const mostAssertions = 2000

/** How tests are kept from running, and the group that it applies to; null for a single test. */
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
   * What makes the test run less reliably: a condition around it, a feature flag, retries. Its assertions are still
   * compared.
   */
  gate: string | null
  /** The number of cases in its table, 1 without a table; null when unknown. */
  rows: number | null
  assertions: Assertion[]
  /** The names that it calls, once per call. */
  calls: string[]
  body: string
  /** The text of its table, when that is defined elsewhere. */
  table: string
}

/** A function that is not a test but asserts, or calls another helper. */
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

/** Whether a name looks like that of an assertion. */
export const soundsLikeAssertion = (name: string): boolean =>
  /^(?:expect|assert|verify|should|ensure|check|must)(?:[A-Z_]|$)/.test(name)

export const times = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? null : Math.min(left * right, 100_000)
