/** Vitest. */
import {
  before,
  executedNames,
  sum,
  tally,
  totalsIn,
  type Count,
  type RunnerTotals,
  type TestRunner,
} from './test-runner.ts'

const totals = /^[ \t]*Tests {2,}(?:no tests|\d.*)$/gm

const count = (text: string): Count => sum(text, totals, ([line]) => before(line, 'passed|failed'))

/** A failed test or suite has a line `FAIL file > group > name`; a file that did not load has `FAIL file [ file ]`. */
function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  const lines = text.split('\n')
  const names = lines.flatMap((line) => /^ *FAIL {2,}(\S.*?)(?: \[ \S.* \])?$/.exec(line)?.[1] ?? [])
  // Errors that vitest assigns to no test.
  const said = lines.filter((line) => line.trim() !== '')
  const strays = said.flatMap((line, at) =>
    /^⎯+ (?:Uncaught|Unhandled|Typecheck) (?!Errors)[A-Z].* ⎯+$/.test(line) ? (said[at + 1] ?? []) : [],
  )
  const unhandled = before(totalsIn(text, /^ *Errors {2,}\d+ errors?$/gm) ?? '', 'errors?')
  const suites = tally(text, /^⎯+ Failed Suites (\d+) ⎯+$/gm)
  return {
    names: [...names, ...strays],
    failed: before(end, 'failed') + suites + unhandled,
    passed: before(end, 'passed'),
  }
}

/** `✓ file > group > name`, which only the verbose reporter prints. */
const executed = (text: string): string[] =>
  executedNames(text, /^ *[✓×✔✖] (?:\|[\w-]+\| )?(\S+ > .+?)(?: \(retry x\d+\))?$/gm)

export const vitest: TestRunner = { count, failures, executed }
