/** Validates settings. Only the first problem is reported: fixing it often fixes the others. */
import { isObject } from '../model/object.ts'
import type { Path } from '../schema/path.ts'
import { problemsIn, type Problem } from '../schema/problems.ts'
import type { Spec } from '../schema/shape.ts'

export function findProblem(spec: Spec, value: unknown, path: Path = []): Problem | null {
  const [first] = problemsIn(spec, value, path)
  return first ?? null
}

/** Returns the value at a path; undefined when there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  )
