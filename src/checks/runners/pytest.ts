/** pytest. */
import {
  allNames,
  before,
  executedNames,
  sum,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = new RegExp(
  '^(?:=+ )?(?:no tests ran|\\d+ (?:passed|failed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun)\\b.*)'
    + ' in \\d+(?:\\.\\d+)?s\\b.*$',
  'gm',
)

const count = (text: string): Count =>
  sum(text, totals, ([line]) => before(line, 'passed|failed|xfailed|xpassed'))
  ?? sum(text, /^collected 0 items\b/gm, () => 0)

const collectionStop = /^Interrupted: \d+ errors? during collection$/
/** pytest exits with code 2 in this case. */
export const stopsAtCollection = (text: string): boolean =>
  /^!+ Interrupted: \d+ errors? during collection !+$/m.test(text)

/** pytest's short summary: a test, a file that could not be collected, or the error that ended the run. */
function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  const summary = text
    .split(/^=+ short test summary info =+$/m)
    .slice(1)
    .join('\n')
  const names = [...summary.matchAll(/^(?:FAILED|ERROR|SUBFAIL(?:ED)?(\([^)\n]*\))?) (\S.*?)(?: - .*)?$/gm)].map(
    ([, subtest = '', name = '']) => name + subtest,
  )
  // A collection error is already named by its files, so the resulting stop of pytest is not a separate failure.
  const ends = allNames(text, /^!+ (.+?) !+$/gm).filter((line) => names.length === 0 || !collectionStop.test(line))
  return { names: [...names, ...ends], failed: before(end, 'failed|errors?'), passed: before(end, 'passed') }
}

/** `tests/test_a.py::test_b PASSED [ 50%]` */
const executed = (text: string): string[] =>
  executedNames(text, /^(\S+::.+?) (?:PASSED|FAILED|ERROR|XPASS|XFAIL)\b.*$/gm)

export const pytest: TestRunner = { count, failures, executed }
