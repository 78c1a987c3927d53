/** What Looper knows about one test runner, and how it reads the totals in an output. */

/** A number; 'some' when tests ran but the runner prints no number; null when the output is not of this runner. */
export type Count = number | 'some' | null

/** The failed tests in a runner's output. */
export interface RunnerTotals {
  /** With the file or suite when the runner prints it. */
  names: string[]
  /** Number of failures in the totals. With fewer names, some failure has no name. */
  failed: number
  /** Null when the runner does not print it. */
  passed: number | null
}

export interface TestRunner {
  /** Executed tests, without skipped ones. Matches this runner only, so that the counts of several can be added. */
  count?: (text: string) => Count
  /** Null when the output is not of this runner. 'unnamed': Looper cannot name its failed tests. */
  failures?: ((text: string) => RunnerTotals | null) | 'unnamed'
  /** The names of executed tests; empty when the output is not of this runner, or does not list all of them. */
  executed?: (text: string) => string[]
}

/** Adds up `read` over all matches; null when there is no match. */
export function sum(text: string, pattern: RegExp, read: (match: RegExpMatchArray) => number): number | null {
  let total: number | null = null
  for (const match of text.matchAll(pattern)) total = (total ?? 0) + read(match)
  return total
}

export const first = (match: RegExpMatchArray): number => Number(match[1] ?? 0)
const second = (match: RegExpMatchArray): number => Number(match[2] ?? 0)
export const both = (match: RegExpMatchArray): number => first(match) + second(match)
/** All tests without skipped ones. */
export const difference = (match: RegExpMatchArray): number => first(match) - second(match)

/** The sum of the numbers in the pattern's group. */
export const tally = (text: string, pattern: RegExp, group = 1): number =>
  sum(text, pattern, (match) => Number(match[group] ?? 0)) ?? 0

/** The numbers before any of these words: `1 failed | 2 passed`. */
export const before = (text: string, words: string): number =>
  sum(text, new RegExp(`(\\d+) (?:${words})\\b`, 'g'), first) ?? 0
/** The number after a word: `Skipped: 1`. */
export const after = (text: string, word: string): number =>
  sum(text, new RegExp(`\\b${word}[:=] ?(\\d+)`, 'g'), first) ?? 0

/** The lines with totals; null when the output is not of this runner. */
export const totalsIn = (text: string, pattern: RegExp): string | null => text.match(pattern)?.join('\n') ?? null

/** The first group of every match. */
export const allNames = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])

const longest = 300

const duration = /(?: \(?[\d.]+ ?m?s\)?)$/
/** The name of an executed test, without its duration. */
export const tidy = (name: string): string => name.replace(duration, '').trim().slice(0, longest)

export const executedNames = (text: string, pattern: RegExp): string[] => allNames(text, pattern).map(tidy)
