/** cargo test. */
import {
  both,
  first,
  sum,
  tally,
  tidy,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = /^test result: \w+\. (\d+) passed; (\d+) failed/gm

/** A binary that crashed has no result line; then the announced number is used. */
const count = (text: string): Count => sum(text, totals, both) ?? sum(text, /^running (\d+) tests?$/gm, first)

/** Prefixes each test with its binary. A binary that crashed has no result line. */
function failures(text: string): RunnerTotals | null {
  if (totalsIn(text, totals) === null) return null
  let target = ''
  const names: string[] = []
  for (const line of text.split('\n')) {
    target = /^ *(?:Running (?:unittests )?|Doc-tests )(\S+)/.exec(line)?.[1] ?? target
    const test = /^test (.+?)(?: \(line \d+\))?(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1]
    if (test !== undefined) names.push(`${target} › ${test}`)
    if (/^ *process didn't exit successfully: /.test(line)) names.push(`${target} crashed`)
  }
  return { names, failed: tally(text, totals, 2), passed: tally(text, totals) }
}

/** Prefixes each test with its binary, as the names of failed tests are. */
function executed(text: string): string[] {
  let target = ''
  return text.split('\n').flatMap((line) => {
    target = /^ *(?:Running (?:unittests )?|Doc-tests )(\S+)/.exec(line)?.[1] ?? target
    const name = /^test (.+?)(?: \(line \d+\))?(?: - should panic)? \.\.\. (?:ok|FAILED)$/.exec(line)?.[1]
    return name === undefined ? [] : [tidy(`${target} › ${name}`)]
  })
}

export const cargo: TestRunner = { count, failures, executed }
