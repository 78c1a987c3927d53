/** Parses JSON from outside: returns the value, or the position and reason of the first syntax error. */
import { JsonProblem, parseJson } from '../platform/jsonc.ts'

export type Parsed = { ok: true; value: unknown } | { ok: false; line: number; column: number; why: string }

export function readJson(text: string): Parsed {
  const bare = withoutMark(text)
  try {
    return { ok: true, value: JSON.parse(bare) }
  } catch {
    return { ok: false, ...faultIn(bare) }
  }
}

/** Some editors start a file with a byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** Parses a second time with the slower parser that reports positions. */
function faultIn(text: string): { line: number; column: number; why: string } {
  try {
    parseJson(text, () => {})
    return { line: 1, column: 1, why: 'it is not JSON' }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { line: error.line, column: error.column, why: error.message }
  }
}
