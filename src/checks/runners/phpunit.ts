/** PHPUnit. */
import {
  after,
  allNames,
  both,
  sum,
  tally,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = /^(?:OK \((\d+) tests?[,)].*|Tests: (\d+), Assertions: .*|No tests executed!)$/gm

const count = (text: string): Count =>
  sum(text, totals, (match) => both(match) - after(match[0], 'Skipped') - after(match[0], 'Incomplete'))

function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  const failed = after(end, 'Failures') + after(end, 'Errors')
  const ran = tally(text, totals) + tally(text, totals, 2)
  const passed = ran - failed - after(end, 'Skipped') - after(end, 'Incomplete')
  return { names: allNames(text, /^\d+\) (\S+::.+)$/gm), failed, passed }
}

export const phpunit: TestRunner = { count, failures }
