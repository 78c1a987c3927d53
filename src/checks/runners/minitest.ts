/** Minitest. */
import {
  allNames,
  before,
  difference,
  sum,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = /^(\d+) (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors(?:, (\d+) skips)?.*$/gm

const count = (text: string): Count => sum(text, totals, difference)

function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  const names = allNames(text, /^(?: +\d+\) )?(?:Failure|Error):\n(\S+#.+?)(?: \[.*\])?:?$/gm)
  const failed = before(end, 'failures|errors')
  return { names, failed, passed: before(end, 'runs|tests') - failed - before(end, 'skips') }
}

export const minitest: TestRunner = { count, failures }
