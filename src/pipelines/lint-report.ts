/** What `looper pipeline lint` found. */
import type { LintReport } from '../views/lint.ts'
import { createFindings, isError } from './finding.ts'
import { findDefinition, inspect } from './load-pipeline.ts'
import { listAll, type Kind, type Where } from './places.ts'

/** `name` null: everything of that kind, or everything. Throws USAGE_ARGUMENTS for what is not there. */
export function lintReport(where: Where, kind: Kind | null, name: string | null): LintReport {
  const kinds: readonly Kind[] = kind === null ? ['pipeline', 'stage'] : [kind]
  const founds = name === null ? kinds.flatMap((each) => listAll(each, where)) : [findDefinition(name, kinds, where)]
  const inspected = founds.map((found) => inspect(found, where))
  // A stage is looked at again in each pipeline that uses it.
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
