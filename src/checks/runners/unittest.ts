/** Python's unittest. */
import {
  after,
  allNames,
  executedNames,
  first,
  sum,
  tally,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = /^Ran (\d+) tests? in [\d.]+s(?:\n+(.*))?$/gm

const count = (text: string): Count => sum(text, totals, (match) => first(match) - after(match[2] ?? '', 'skipped'))

/**
 * A module that cannot be imported counts as a test. A failed set-up does not, and it prevents other tests from
 * running.
 */
function failures(text: string): RunnerTotals | null {
  if (totalsIn(text, totals) === null) return null
  const names = allNames(text, /^={20,}\n(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$/gm)
  const tests = new Set(
    names.map((name) => name.replace(/^(\S+ \([^)]*\)).*$/, '$1')).filter((name) => !/^(?:setUp|tearDown)/.test(name)),
  )
  const end = allNames(text, /^(?:OK|FAILED) \((.+)\)$/gm).join(', ')
  const expected = after(end, 'expected failures')
  const failed = after(end, 'failures') - expected + after(end, 'errors') + after(end, 'unexpected successes')
  return { names, failed, passed: tally(text, totals) - after(end, 'skipped') - expected - tests.size }
}

/** `test_b (test_a.Case.test_b) ... ok` */
const executed = (text: string): string[] =>
  executedNames(text, /^(\w+ \([\w.]+\))(?:\n.*)? \.\.\. (?:ok|FAIL|ERROR|expected failure|unexpected success)$/gm)

export const unittest: TestRunner = { count, failures, executed }
