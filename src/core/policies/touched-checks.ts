/**
 * Which checks a change needs: one with `paths` runs only when the change touches one of them. The audit of a wave and
 * the gate run every check.
 */
import type { PlannedCheck } from './checks.ts'
import { matchesPath } from './path-glob.ts'

/**
 * `files`: by path, what the change leaves. The result is empty only when `checks` is: a file that no `paths` name may
 * affect every check, so all run then; the same when nothing is known to have changed.
 */
export function touchedChecks(
  checks: readonly PlannedCheck[],
  files: Readonly<Record<string, unknown>>,
): readonly PlannedCheck[] {
  // Every decision asks for the checks of every active task, and most checks name no paths.
  if (!checks.some(({ paths }) => paths !== undefined)) return checks
  const globs = checks.flatMap(({ paths }) => paths ?? [])
  const changed = Object.keys(files)
  if (changed.length === 0) return checks
  const isTouched = ({ paths }: PlannedCheck): boolean =>
    paths === undefined || changed.some((path) => isNamed(paths, path))
  return changed.every((path) => isNamed(globs, path)) ? checks.filter(isTouched) : checks
}

const isNamed = (globs: readonly string[], path: string): boolean => globs.some((glob) => matchesPath(glob, path))
