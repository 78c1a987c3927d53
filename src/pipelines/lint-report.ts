/** Collects the findings of `looper pipeline lint`. */
import type { LintReport } from '../views/lint.ts'
import { createFindings, isError } from './finding.ts'
import { findDefinition, inspect } from './load-pipeline.ts'
import { listAll, type Kind, type Where } from './places.ts'

/**
 * With `name` null, lints everything of that kind, or everything. Throws USAGE_ARGUMENTS when the name does not exist.
 */
export function lintReport(where: Where, kind: Kind | null, name: string | null): LintReport {
  const kinds: readonly Kind[] = kind === null ? ['pipeline', 'stage'] : [kind]
  const founds = name === null ? kinds.flatMap((each) => listAll(each, where)) : [findDefinition(name, kinds, where)]
  const inspected = founds.map((found) => inspect(found, where))
  // Removes duplicates: a stage is linted again in each pipeline that uses it.
  const { tell, list } = createFindings()
  for (const { code, message, ...place } of inspected.flatMap(({ findings }) => findings)) tell(code, place, message)
  const findings = list()
  const errors = findings.filter(isError).length
  return {
    checked: inspected.map(({ definition }) => definition.file),
    errors,
    warnings: findings.length - errors,
    findings,
  }
}
