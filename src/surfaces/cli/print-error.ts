/**
 * Prints an error: what happened, then what to do, one line each, with more lines when the error has them. Prints a
 * stack trace only with --debug.
 */
import { errorTable, LooperError, messageOf } from '../../api/error.ts'
import { shortRuns } from '../../views/text/name-run.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import { wrapLines, type Width } from '../../views/text/rows.ts'
import type { Output } from './output.ts'

/** Returns the exit code. `command` is the called command, or empty. */
export function printError(
  error: unknown,
  err: Output,
  { command, debug, width = null }: { command: string; debug: boolean; width?: Width },
): number {
  const { message, exitCode, hint: general } = describe(error)
  const hint =
    command !== '' && general === errorTable.USAGE_ARGUMENTS.hint ? `Run \`looper ${command} --help\`.` : general
  const write = (line: string): void => err.write(`${wrapLines(shortRuns(line), width)}\n`)
  write(`looper: ${plain(message, 1_000)}`)
  for (const line of linesOf(error)) write(plain(line, 1_000))
  if (hint !== '') write(`  ${plain(hint, 1_000)}`)
  if (debug) err.write(`${plainBlock(stack(error))}\n`)
  return exitCode
}

/** Additional lines of the error. */
const linesOf = (error: unknown): string[] => {
  const lines = error instanceof LooperError ? error.details['lines'] : []
  return Array.isArray(lines) ? lines.map(String) : []
}

function describe(error: unknown): { message: string; hint: string; exitCode: number } {
  if (error instanceof LooperError) return error
  const { hint, exit } = errorTable.BUG_INVARIANT
  return { message: `internal error: ${messageOf(error)}`, hint, exitCode: exit }
}

function stack(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stack(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
