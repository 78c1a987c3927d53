/** Jest. `indented-names.ts` reads its executed tests. */
import { before, sum, totalsIn, type Count, type RunnerTotals, type TestRunner } from './test-runner.ts'

const totals = /^Tests: +.*\d+ total$/gm

const count = (text: string): Count => sum(text, totals, ([line]) => before(line, 'passed|failed'))

/** Each failure is `● group › name` under `FAIL file`; a file that did not load has one too. */
function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (end === null) return null
  let file = ''
  const files = new Set<string>()
  const names: string[] = []
  for (const line of text.split('\n')) {
    file = /^ *(?:FAIL|PASS) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file
    const name = /^ {2}● (?!Console$)(.+)$/.exec(line)?.[1]
    if (name === undefined) continue
    names.push(`${file} › ${name}`)
    files.add(file)
  }
  const suites = before(totalsIn(text, /^Test Suites: +.*\d+ total$/gm) ?? '', 'failed')
  const unloaded = new Set(names.filter((name) => name.endsWith(' › Test suite failed to run'))).size
  const failed = before(end, 'failed') + unloaded + Math.max(0, suites - files.size)
  return { names, failed, passed: before(end, 'passed') }
}

export const jest: TestRunner = { count, failures }
