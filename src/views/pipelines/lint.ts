/** The findings of `looper pipeline lint`. */
import { align } from '../text/columns.ts'
import { plural } from '../text/format.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'

export interface LintFinding {
  code: string
  severity: 'error' | 'warning'
  /** The displayed path: relative to the project if it is inside it. */
  file: string
  /** Counts from 1. */
  line: number
  message: string
}

export interface LintReport {
  /** Files of the checked definitions. */
  checked: string[]
  errors: number
  warnings: number
  findings: LintFinding[]
}

export function lintText({ checked, errors, warnings, findings }: LintReport, paint: Paint): string {
  const lines = align(
    findings.map(({ code, severity, file, line, message }) => {
      const mark = severity === 'error' ? paint.bad('error') : paint.warn('warning')
      return [`${plain(file)}:${line}`, mark, code, plain(message, 200)]
    }),
  )
  const sum =
    errors + warnings === 0 ? paint.good('no problems') : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`
  return `${[...lines, `${plural(checked.length, 'definition')}: ${sum}`].join('\n')}\n`
}
