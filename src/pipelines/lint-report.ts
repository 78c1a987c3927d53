/** What `looper pipeline lint` found. */
import { align } from '../views/columns.ts'
import { plural } from '../views/format.ts'
import type { Paint } from '../views/paint.ts'
import { plain } from '../views/plain-text.ts'
import { createFindings, isError, type Finding } from './finding.ts'
import { findDefinition, inspect } from './load-pipeline.ts'
import { listAll, type Kind, type Where } from './places.ts'

export interface LintReport {
  /** Files of the definitions that were looked at. */
  checked: string[]
  errors: number
  warnings: number
  findings: Finding[]
}

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

export function lintText({ checked, errors, warnings, findings }: LintReport, paint: Paint): string {
  const lines = align(
    findings.map(({ code, severity, file, line, message }) => {
      const mark = severity === 'error' ? paint.bad('error') : paint.warn('warning')
      return [`${plain(file)}:${line}`, mark, code, plain(message, 200)]
    }),
  )
  const sum =
    errors + warnings === 0
      ? paint.good('nothing to mend')
      : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`
  return `${[...lines, `${plural(checked.length, 'definition')}: ${sum}`].join('\n')}\n`
}
