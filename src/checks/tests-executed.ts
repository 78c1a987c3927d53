/**
 * Reads the number of executed tests from a check's output, because a check that passes without tests proves nothing.
 */
import { anyRunner, runners } from './runners/runners.ts'

const maxLine = 400
/** The prefix that pnpm and turbo add to each line of a package's output. */
const packagePrefix = /^(?:[\w@./-]+ test: |[\w@./-]+:test: )/gm

/** The output of the test runners themselves. */
export const runnerText = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.slice(0, maxLine))
    .join('\n')
    .replace(packagePrefix, '')

/** Executed tests of all runners together, without skipped ones. Null when the output does not say. */
export function countTests(output: string): number | null {
  const text = runnerText(output)
  const counts = runners.map(({ count }) => count?.(text) ?? null).filter((count) => count !== null)
  if (counts.length === 0) return anyRunner(text)
  const sum = counts.reduce<number>((total, count) => total + (count === 'some' ? 0 : count), 0)
  return sum === 0 && counts.includes('some') ? null : sum
}
