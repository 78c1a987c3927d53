/** Validates a value against the table of fields and reports every mismatch. */
import { isObject } from '../../model/object.ts'
import { quote } from '../../platform/quote.ts'
import type { Field, NamedField, Spec } from './fields.ts'

export type Path = readonly (string | number)[]
export type Report = (path: Path, message: string) => void

/** Reports mismatches only, each at the innermost path. */
export function check(spec: Spec, value: unknown, path: Path, report: Report): void {
  if (fits(spec, value)) return
  if (spec.is === 'list' && Array.isArray(value))
    value.forEach((entry, index) => check(spec.of, entry, [...path, index], report))
  else if (spec.is === 'object' && isObject(value)) checkFields(spec.fields, value, path, report)
  else report(path, `must be ${nounOf(spec)}, not ${quote(value)}`)
}

function checkFields(fields: readonly NamedField[], value: Record<string, unknown>, path: Path, report: Report): void {
  for (const field of fields) {
    const { name, spec } = field
    if (fieldFits(field, value[name])) continue
    if (value[name] === undefined) report([...path, name], 'is missing')
    else check(spec, value[name], [...path, name], report)
  }
}

/** A fast check without paths: almost every value is valid. */
function fits(spec: Spec, value: unknown): boolean {
  switch (spec.is) {
    case 'text':
      return typeof value === 'string' && (spec.pattern === undefined || spec.pattern.test(value))
    case 'whole':
      return Number.isSafeInteger(value) && Number(value) >= spec.min && Number(value) <= spec.max
    case 'choice':
      return typeof value === 'string' && spec.of.includes(value)
    case 'list':
      return Array.isArray(value) && value.every((entry) => fits(spec.of, entry))
    case 'object':
      return isObject(value) && spec.fields.every((field) => fieldFits(field, value[field.name]))
  }
}

const fieldFits = (field: Field, value: unknown): boolean =>
  value === undefined || value === null ? !field.required : fits(field.spec, value)

const nounOf = (spec: Spec): string => (spec.is === 'choice' ? `one of ${spec.shown.join(', ')}` : spec.noun)

/** Formats a path as in `tasks[3].depends_on[0]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )
