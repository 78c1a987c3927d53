/**
 * Reads the totals of test runners. Each pattern matches one runner only, so that the totals of several can be added.
 */

/** A number; 'some' when tests ran but the runner prints no number; null when the output is not of this runner. */
type Count = number | 'some' | null

/** The failed tests in a runner's output. */
export interface Told {
  /** With the file or suite when the runner prints it. */
  names: string[]
  /** Number of failures in the totals. With fewer names, some failure has no name. */
  failed: number
  /** Null when the runner does not print it. */
  passed: number | null
}

/** Adds up `read` over all matches; null when there is no match. */
function sum(text: string, pattern: RegExp, read: (match: RegExpMatchArray) => number): number | null {
  let total: number | null = null
  for (const match of text.matchAll(pattern)) total = (total ?? 0) + read(match)
  return total
}

const first = (match: RegExpMatchArray): number => Number(match[1] ?? 0)
const second = (match: RegExpMatchArray): number => Number(match[2] ?? 0)
const both = (match: RegExpMatchArray): number => first(match) + second(match)
/** All tests without skipped ones. */
const difference = (match: RegExpMatchArray): number => first(match) - second(match)

/** The sum of the numbers in the pattern's group. */
export const tally = (text: string, pattern: RegExp, group = 1): number =>
  sum(text, pattern, (match) => Number(match[group] ?? 0)) ?? 0

/** The numbers before any of these words: `1 failed | 2 passed`. */
export const before = (text: string, words: string): number =>
  sum(text, new RegExp(`(\\d+) (?:${words})\\b`, 'g'), first) ?? 0
/** The number after a word: `Skipped: 1`. */
export const after = (text: string, word: string): number =>
  sum(text, new RegExp(`\\b${word}[:=] ?(\\d+)`, 'g'), first) ?? 0

/** The lines with totals that identify a runner, used to count tests and to find the names of failed ones. */
export const totals = {
  vitest: /^[ \t]*Tests {2,}(?:no tests|\d.*)$/gm,
  jest: /^Tests: +.*\d+ total$/gm,
  mocha: /^ {2}(\d+) (?:passing \(|failing$)/gm,
  pytest: new RegExp(
    '^(?:=+ )?(?:no tests ran|\\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun)\\b.*)'
      + ' in \\d+(?:\\.\\d+)?s\\b.*$',
    'gm',
  ),
  unittest: /^Ran (\d+) tests? in [\d.]+s(?:\n+(.*))?$/gm,
  cargo: /^test result: \w+\. (\d+) passed; (\d+) failed/gm,
  rspec: /^(\d+) examples?, \d+ failures?(?:, (\d+) pending)?.*$/gm,
  minitest: /^(\d+) (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors(?:, (\d+) skips)?.*$/gm,
  phpunit: /^(?:OK \((\d+) tests?[,)].*|Tests: (\d+), Assertions: .*|No tests executed!)$/gm,
} as const

/** The lines with totals; null when the output is not of this runner. */
export const totalsIn = (text: string, pattern: RegExp): string | null => text.match(pattern)?.join('\n') ?? null

const vitest = (text: string): Count => sum(text, totals.vitest, ([line]) => before(line, 'passed|failed'))
const jest = (text: string): Count => sum(text, totals.jest, ([line]) => before(line, 'passed|failed'))
const noFiles = (text: string): Count => sum(text, /^No test(?:s| files) found,? exiting with code/gm, () => 0)
const mocha = (text: string): Count => sum(text, totals.mocha, first)
/** node:test and tape. Their `tests N` includes skipped tests. A file without tests is reported as a passed test. */
export function nodeTest(text: string): number | null {
  const ended = sum(text, /^[#ℹ] (?:pass|fail|cancelled) +(\d+)$/gm, first)
  const files =
    sum(text, /^(?:ok \d+ - |✔ )(?:\/.*|\S*[._-]test|\S*\btests?\/\S*)\.[cm]?[jt]s(?: \([\d.]+ms\))?$/gm, () => 1) ?? 0
  return ended === null ? null : Math.max(0, ended - files)
}
const bun = (text: string): Count => sum(text, /^ *(\d+) (?:pass|fail)$/gm, first)
const deno = (text: string): Count =>
  sum(text, /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm, both)

const pytest = (text: string): Count =>
  sum(text, totals.pytest, ([line]) => before(line, 'passed|failed|xfailed|xpassed'))
  ?? sum(text, /^collected 0 items\b/gm, () => 0)
const unittest = (text: string): Count =>
  sum(text, totals.unittest, (match) => first(match) - after(match[2] ?? '', 'skipped'))

/** A binary that crashed has no result line; then the announced number is used. */
const cargo = (text: string): Count => sum(text, totals.cargo, both) ?? sum(text, /^running (\d+) tests?$/gm, first)
const nextest = (text: string): Count => sum(text, /^ *Summary \[.*\] +(\d+)(?:\/\d+)? tests? run:/gm, first)

/** Without -v, go prints packages and not tests. */
function goTest(text: string): Count {
  const verbose = sum(text, /^--- (?:PASS|FAIL): /gm, () => 1)
  if (verbose !== null) return verbose
  const packages = [...text.matchAll(/^(?:(?:ok|FAIL|\?) *\t\S+\t|\t\S+\t\tcoverage: ).*$/gm)].map(([line]) => line)
  if (packages.some((line) => !/\[no test files\]|\[no tests to run\]|^\t/.test(line))) return 'some'
  return packages.length > 0 || /^testing: warning: no tests to run$/m.test(text) ? 0 : null
}

const rspec = (text: string): Count => sum(text, totals.rspec, difference)
const minitest = (text: string): Count => sum(text, totals.minitest, difference)
/** Matches ExUnit and bats. */
const exUnit = (text: string): Count =>
  sum(text, /^(?:\d+ doctests?, )?(\d+) tests?, \d+ failures?(?:, \d+ excluded)?(?:, (\d+) skipped)?$/gm, difference)
const phpunit = (text: string): Count =>
  sum(text, totals.phpunit, (match) => both(match) - after(match[0], 'Skipped') - after(match[0], 'Incomplete'))

/** Maven prints each class with its time and then the total; plain JUnit 4 prints only the total. */
function surefire(text: string): Count {
  const lines = [...text.matchAll(/^(?:\[\w+\] )?Tests run: (\d+), +Failures: \d+.*$/gm)]
  const classes = lines.filter(([line]) => line.includes('Time elapsed'))
  const counted = classes.length > 0 ? classes : lines
  if (counted.length === 0) return /^\[INFO\] No tests to run\.$/m.test(text) ? 0 : null
  return counted.reduce((total, match) => total + first(match) - after(match[0], 'Skipped'), 0)
}
const junitConsole = (text: string): Count => sum(text, /^\[ +(\d+) tests (?:successful|failed) +\]$/gm, first)
const gradle = (text: string): Count =>
  sum(text, /^(\d+) tests? completed(?:, \d+ failed)?(?:, (\d+) skipped)?$/gm, difference)
const ctest = (text: string): Count =>
  sum(text, /^(?:\d+% tests passed, \d+ tests? failed out of (\d+)|No tests were found!!!)$/gm, first)

export const runners: readonly ((text: string) => Count)[] = [
  vitest,
  jest,
  noFiles,
  mocha,
  nodeTest,
  bun,
  deno,
  pytest,
  unittest,
  cargo,
  nextest,
  goTest,
  rspec,
  minitest,
  exUnit,
  phpunit,
  surefire,
  junitConsole,
  gradle,
  ctest,
]

/** Runners whose failed tests Looper cannot name. */
export const unnamed: readonly ((text: string) => Count)[] = [
  bun,
  deno,
  nextest,
  exUnit,
  surefire,
  junitConsole,
  gradle,
  ctest,
]

/** Playwright, custom runners and others: `3 passed, 0 failed`. "0 failed" alone may come from a linter. */
export function anyRunner(text: string): number | null {
  const passed = sum(text, /\b(\d+)(?: tests?)? passed\b/g, first)
  const failed = sum(text, /\b(\d+)(?: tests?)? failed\b/g, first) ?? 0
  return passed === null && failed === 0 ? null : (passed ?? 0) + failed
}
