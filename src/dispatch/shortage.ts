/**
 * Recognises a lack of resources: it fails the work, not the agent or the check, and the run pauses until a person
 * frees resources.
 */
import { LooperError } from '../model/error.ts'
import type { FailureOutcome } from '../model/work.ts'
import { resourcesError, scarceIn } from '../platform/spawn-patiently.ts'

/** Null for any other error. */
export function shortage(error: unknown): FailureOutcome | null {
  const what = scarceIn(error)
  const known = what === null ? error : resourcesError(error, what)
  if (!(known instanceof LooperError) || known.code !== 'ENVIRONMENT_RESOURCES') return null
  const hint = 'Raise the limits (ulimit -n, ulimit -u) or end other programs'
  return { kind: 'failure', code: known.code, message: known.message, hint }
}
