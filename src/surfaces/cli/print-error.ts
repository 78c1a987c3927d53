/** Errors for people: what, then what to do, a line each unless there is more to tell; a stack trace only when asked for. */
import { errorTable, LooperError } from '../../model/error.ts'
import { plain, plainBlock } from '../../views/plain-text.ts'
import type { Output } from './output.ts'

/** Returns the exit code. */
export function printError(error: unknown, err: Output, { debug }: { debug: boolean }): number {
  const { message, hint, exitCode } = describe(error)
  err.write(`looper: ${linesOf(message).join('\n')}\n`)
  if (hint !== '') err.write(`${linesOf(hint).map((line) => `  ${line}`).join('\n')}\n`)
  if (debug) err.write(`${plainBlock(stack(error))}\n`)
  return exitCode
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => plain(line, 1_000))

function describe(error: unknown): { message: string; hint: string; exitCode: number } {
  if (error instanceof LooperError) return error
  const { hint, exit } = errorTable.BUG_INVARIANT
  return { message: `something went wrong inside Looper: ${error instanceof Error ? error.message : String(error)}`, hint, exitCode: exit }
}

function stack(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stack(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
