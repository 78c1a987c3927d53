/** Warns of tasks that are to repair a check that does not exist: such a name has no effect. */
import { isObject } from '../../model/object.ts'
import { positionIn } from '../../platform/jsonc.ts'
import { quote } from '../../platform/quote.ts'
import { pathText } from '../../schema/path.ts'
import type { Document } from './document.ts'
import { mostProblems, offsetOf, type Problem } from './problems.ts'

const repairsOf = (task: unknown): readonly unknown[] => {
  const names = isObject(task) ? task['repairs'] : null
  return Array.isArray(names) ? names : []
}

/** Whether a task names checks to repair. Only then is it worth finding out which checks exist. */
export const namesChecks = ({ tasks }: Document): boolean => tasks.some((task) => repairsOf(task).length > 0)

export function unknownChecks(document: Document, checks: readonly string[]): Problem[] {
  const unknown = document.tasks.flatMap((task, index) =>
    repairsOf(task).flatMap((name, entry) =>
      typeof name === 'string' && !checks.includes(name) ? [{ name, path: ['tasks', index, 'repairs', entry] }] : [],
    ),
  )
  if (unknown.length === 0) return []
  const positionAt = positionIn(document.text)
  const known = checks.length === 0 ? 'there are no checks' : `there are ${checks.join(', ')}`
  return unknown
    .slice(0, mostProblems)
    .map(({ name, path }) => ({
      kind: 'unknown-check',
      path: pathText(path),
      ...positionAt(offsetOf(document, path)),
      message: `${pathText(path)} names no check: ${quote(name)}; ${known}`,
    }))
}
