/** The option `--lines`: how many of the last lines are shown. */
import { wholeNumber } from './whole-number.ts'

/** Null: all of them. Throws USAGE_ARGUMENTS. */
export const lineCount = (given: string): number | null => (given === 'all' ? null : wholeNumber('--lines', given))

export const lastLines = (lines: readonly string[], count: number | null): readonly string[] =>
  count === null ? lines : lines.slice(Math.max(0, lines.length - count))
