/** Reads from a check's output how many tests were executed: a check that passes without running any proves nothing. */
import { anyRunner, runners } from './test-runners.ts'

const maxLine = 400
/** What pnpm and turbo put before each line of a package's output. */
const packagePrefix = /^(?:[\w@./-]+ test: |[\w@./-]+:test: )/gm

/** What the runners themselves printed. */
export const runnerText = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.slice(0, maxLine))
    .join('\n')
    .replace(packagePrefix, '')

/** Tests that ran, in all runners together; skipped ones did not. Null when the output does not say. */
export function countTests(output: string): number | null {
  const text = runnerText(output)
  const counts = runners.map((count) => count(text)).filter((count) => count !== null)
  if (counts.length === 0) return anyRunner(text)
  const sum = counts.reduce<number>((total, count) => total + (count === 'some' ? 0 : count), 0)
  return sum === 0 && counts.includes('some') ? null : sum
}
