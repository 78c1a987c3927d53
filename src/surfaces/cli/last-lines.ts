/** The option `--lines`: how many of the last lines are shown. */
import { wholeNumber } from './whole-number.ts'

/** Null: all of them. Throws USAGE_ARGUMENTS. */
export const lineCount = (given: string): number | null => (given === 'all' ? null : wholeNumber('--lines', given))

interface LastLines {
  add(line: string): void
  lines(): readonly string[]
}

/** Keeps no more than twice as many lines as are shown. */
export function createLastLines(count: number | null): LastLines {
  let kept: string[] = []
  const cut = (): string[] => (count === null ? kept : kept.slice(Math.max(0, kept.length - count)))
  return {
    add(line) {
      kept.push(line)
      if (count !== null && kept.length > 2 * count) kept = cut()
    },
    lines: cut,
  }
}
