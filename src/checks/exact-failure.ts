/**
 * What identifies a failure exactly. Fingerprints drop numbers, so that a failure stays the same from run to run; tests
 * of two tasks may differ by a number alone.
 */
import { failureLine } from '../model/failure-lines.ts'
import { steady } from './normalize.ts'

/** The journal stores it. */
const mostNames = 20
const longest = 1_000

/** Output can be a flood, and a line of it too. */
const mostChars = 200_000
const longestLine = 500

function lineIn(text: string, cwd: string): string {
  const lines = text.slice(-mostChars).replaceAll(`${cwd}/`, '').split('\n')
  return steady(failureLine(lines.map((line) => line.slice(0, longestLine)).join('\n')))
}

/** The names of the failing tests where the output names all, else the line that says what is wrong. */
export function exactFailure(text: string, failing: readonly string[] | undefined, cwd: string): string {
  if (failing === undefined) return lineIn(text, cwd)
  const names = [...new Set(failing)].toSorted()
  const more = names.length > mostNames ? [`and ${names.length - mostNames} more`] : []
  return [...names.slice(0, mostNames), ...more].join('\n').slice(0, longest)
}
