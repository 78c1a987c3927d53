/**
 * Prints an error: what happened, then what to do, one line each, with more lines when the error has them. Prints a
 * stack trace only with --debug.
 */
import { errorTable, LooperError } from '../../api/error.ts'
import { plain, plainBlock } from '../../views/plain-text.ts'
import type { Output } from './output.ts'

/** Returns the exit code. `command` is the called command, or empty. */
export function printError(
  error: unknown,
  err: Output,
  { command, debug }: { command: string; debug: boolean },
): number {
  const { message, exitCode, hint: general } = describe(error)
  const hint =
    command !== '' && general === errorTable.USAGE_ARGUMENTS.hint ? `Run \`looper ${command} --help\`.` : general
  err.write(`looper: ${plain(message, 1_000)}\n`)
  for (const line of linesOf(error)) err.write(`${plain(line, 1_000)}\n`)
  if (hint !== '') err.write(`  ${plain(hint, 1_000)}\n`)
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
  return { message: `internal error: ${error instanceof Error ? error.message : String(error)}`, hint, exitCode: exit }
}

function stack(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stack(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
