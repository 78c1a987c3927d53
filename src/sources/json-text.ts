/** JSON from elsewhere: what it holds, or where it stops being JSON. */
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

/** Some editors begin a file with a mark of its byte order. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

/** Read a second time, by the slow reader that knows where it is. */
function faultIn(text: string): { line: number; column: number; why: string } {
  try {
    parseJson(text, () => {})
    return { line: 1, column: 1, why: 'it is not JSON' }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { line: error.line, column: error.column, why: error.message }
  }
}
