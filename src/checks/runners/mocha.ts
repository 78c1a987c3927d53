/** Mocha. `indented-names.ts` reads its executed tests. */
import { before, first, sum, totalsIn, type Count, type RunnerTotals, type TestRunner } from './test-runner.ts'

const totals = /^ {2}(\d+) (?:passing \(|failing$)/gm

const count = (text: string): Count => sum(text, totals, first)

/** A numbered list follows `N failing`. A title spans several lines, and the last one ends with a colon. */
function failures(text: string): RunnerTotals | null {
  const end = totalsIn(text, totals)
  if (!end?.includes(' passing ')) return null
  const failed = before(end, 'failing')
  const lines = text.split('\n')
  const list = lines.slice(lines.findIndex((line) => /^ {2}\d+ failing$/.test(line)) + 1)
  const names =
    failed === 0
      ? []
      : list.flatMap((line, at) => {
          const start = /^ {2}\d+\) (.+)$/.exec(line)?.[1]
          if (start === undefined) return []
          const title = [start, ...list.slice(at + 1, at + 10).map((part) => part.trim())]
          return title
            .slice(0, title.findIndex((part) => part.endsWith(':')) + 1)
            .join(' › ')
            .slice(0, -1)
        })
  return { names, failed, passed: before(end, 'passing') }
}

/** Its exit code is the number of failures. */
export const isMocha = (text: string): boolean => failures(text) !== null

export const mocha: TestRunner = { count, failures }
