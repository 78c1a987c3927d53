/** RSpec. */
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

const totals = /^(\d+) examples?, \d+ failures?(?:, (\d+) pending)?.*$/gm

const count = (text: string): Count => sum(text, totals, difference)

function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  const named = [...text.matchAll(/^rspec '?(\S+?)(?::\d+|\[[\d:]+\])'? # (.+)$/gm)].map(
    ([, file, name]) => `${file} › ${name}`,
  )
  const failed = before(end, 'failures?')
  const passed = before(end, 'examples?') - failed - before(end, 'pending')
  const unloaded = allNames(text, /^An error occurred while loading (\S+?)\.?$/gm)
  return { names: [...named, ...unloaded], failed: failed + before(end, 'errors?'), passed }
}

export const rspec: TestRunner = { count, failures }
