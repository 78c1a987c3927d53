/** Turns an error into the outcome of the work that it ended. */
import { LooperError, messageOf } from './error.ts'
import type { FailureOutcome } from './work.ts'

export function failureOf(error: unknown): FailureOutcome {
  if (error instanceof LooperError) {
    const { code, message, fix } = error
    return { kind: 'failure', code, message, ...(fix === null ? {} : { hint: fix }) }
  }
  return { kind: 'failure', code: 'BUG_INVARIANT', message: messageOf(error) }
}
