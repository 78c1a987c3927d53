/**
 * Recorded answers with their types. They are not parsed again: each was validated against the schema of its purpose
 * before it was recorded.
 */
import type { ResultShape } from './purposes.ts'
import { purposes, type Purpose } from './purposes.ts'
import type { ResultIn, ResultOf } from './results.ts'

/** The answer to a question of this purpose. */
export const resultOf = <P extends Purpose>(_purpose: P, result: unknown): ResultOf<P> => result as ResultOf<P>

/** Null when answers to this purpose have another shape. */
export const resultIn = <S extends ResultShape>(shape: S, purpose: Purpose, result: unknown): ResultIn<S> | null =>
  purposes[purpose].result === shape ? (result as ResultIn<S>) : null
