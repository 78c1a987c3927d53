/** Runners whose tests Looper counts, but whose failed tests it cannot name. */
import { after, both, difference, first, sum, type Count, type TestRunner } from './test-runner.ts'

const bun = (text: string): Count => sum(text, /^ *(\d+) (?:pass|fail)$/gm, first)
const deno = (text: string): Count =>
  sum(text, /^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/gm, both)
const nextest = (text: string): Count => sum(text, /^ *Summary \[.*\] +(\d+)(?:\/\d+)? tests? run:/gm, first)
/** Matches ExUnit and bats. */
const exUnit = (text: string): Count =>
  sum(text, /^(?:\d+ doctests?, )?(\d+) tests?, \d+ failures?(?:, \d+ excluded)?(?:, (\d+) skipped)?$/gm, difference)

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

export const unnamed: readonly TestRunner[] = [bun, deno, nextest, exUnit, surefire, junitConsole, gradle, ctest].map(
  (count) => ({ count, failures: 'unnamed' }),
)
