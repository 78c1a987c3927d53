/** Holds a value against the table of fields, and tells of everything that does not fit. */
import { quote } from '../../platform/quote.ts'
import type { Fields, Spec } from './fields.ts'

export type Path = readonly (string | number)[]
export type Report = (path: Path, message: string) => void

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `path` is where the value stands; it is the same again afterwards. */
export function check(spec: Spec, value: unknown, path: (string | number)[], report: Report): void {
  if (spec.is === 'list' && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) within(path, index, () => check(spec.of, value[index], path, report))
  } else if (spec.is === 'object' && isObject(value)) checkFields(spec.fields, value, path, report)
  else if (!fits(spec, value)) report([...path], `must be ${nounOf(spec)}, not ${quote(value)}`)
}

function checkFields(fields: Fields, value: Record<string, unknown>, path: (string | number)[], report: Report): void {
  for (const name in fields) {
    const field = fields[name]
    const entry = Object.hasOwn(value, name) ? value[name] : undefined
    if (field === undefined || (!field.required && (entry === undefined || entry === null))) continue
    if (entry === undefined) report([...path, name], 'is missing')
    else within(path, name, () => check(field.spec, entry, path, report))
  }
}

function within(path: (string | number)[], key: string | number, action: () => void): void {
  path.push(key)
  action()
  path.pop()
}

function fits(spec: Spec, value: unknown): boolean {
  switch (spec.is) {
    case 'text': return typeof value === 'string' && (spec.pattern === undefined || spec.pattern.test(value))
    case 'whole': return Number.isSafeInteger(value) && Number(value) >= spec.min && Number(value) <= spec.max
    case 'choice': return typeof value === 'string' && spec.of.includes(value)
    case 'list':
    case 'object': return false
  }
}

const nounOf = (spec: Spec): string => (spec.is === 'choice' ? `one of ${spec.shown.join(', ')}` : spec.noun)

/** As people write it: `tasks[3].depends_on[0]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '')
