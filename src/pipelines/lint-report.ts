/** Collects the findings of `looper pipeline lint`. */
import type { LintReport } from '../views/pipelines/lint.ts'
import { createFindings, isError } from './finding.ts'
import { findDefinition, inspect } from './load-pipeline.ts'
import { listAll, type Kind, type Where } from './find-definition.ts'

/**
 * With `name` null, lints everything of that kind, or everything. Throws USAGE_ARGUMENTS when the name does not exist.
 */
export function lintReport(where: Where, kind: Kind | null, name: string | null): LintReport {
  const kinds: readonly Kind[] = kind === null ? ['pipeline', 'stage'] : [kind]
  const founds = name === null ? kinds.flatMap((each) => listAll(each, where)) : [findDefinition(name, kinds, where)]
  const inspected = founds.map((found) => inspect(found, where))
  // Removes duplicates: a stage is linted again in each pipeline that uses it.
  const { addFinding, list } = createFindings()
  for (const { code, message, ...position } of inspected.flatMap(({ findings }) => findings))
    addFinding(code, position, message)
  const findings = list()
  const errors = findings.filter(isError).length
  return {
    checked: inspected.map(({ definition }) => definition.file),
    errors,
    warnings: findings.length - errors,
    findings,
  }
}
