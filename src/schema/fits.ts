/** Whether a value fits its spec, without details: almost every value does, and large files have many. */
import { isObject } from '../model/object.ts'
import type { Field, RecordShape, ShapeOf, Spec } from './shape.ts'
import { text } from './spec.ts'

export function fits(spec: Spec, value: unknown): boolean {
  switch (spec.kind) {
    case 'text':
      return typeof value === 'string' && fitsText(spec, value)
    case 'choice':
      return typeof value === 'string' && spec.of.includes(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number' && fitsNumber(spec, value)
    case 'list':
      return Array.isArray(value) && value.length >= spec.min && value.every((entry) => fits(spec.of, entry))
    case 'record':
      return (
        isObject(value) && Object.entries(value).every(([name, entry]) => fitsName(spec, name) && fits(spec.of, entry))
      )
    case 'object':
      return isObject(value) && fitsFields(spec, value)
    case 'nullable':
      return value === null || fits(spec.of, value)
    case 'shorthand':
      return fits(typeof value === 'string' ? text : spec.full, value)
  }
}

/** The same, for the type checker. */
export const accepts = <T>(spec: Spec<T>, value: unknown): value is T => fits(spec, value)

const fitsText = ({ pattern, withoutNul }: ShapeOf<'text'>, value: string): boolean =>
  (pattern === undefined || pattern.test(value)) && !(withoutNul && value.includes('\0'))

const fitsNumber = ({ whole, min, max, aboveMin }: ShapeOf<'number'>, value: number): boolean =>
  (!whole || Number.isSafeInteger(value))
  && (aboveMin ? value > min : value >= min)
  && value <= (max ?? Number.MAX_SAFE_INTEGER)

/** Rejects inherited names of objects, such as `constructor`: lookups would find them where there is no entry. */
export const fitsName = ({ names }: RecordShape, name: string): boolean =>
  names instanceof RegExp ? names.test(name) && !(name in Object.prototype) : names.includes(name)

function fitsFields({ fields, open }: ShapeOf<'object'>, value: Readonly<Record<string, unknown>>): boolean {
  // Without a list of the names: this runs for each of thousands of tasks.
  for (const name in fields) {
    const field = fields[name]
    const entry = value[name]
    if (field !== undefined && !isOmitted(field, entry) && !fits(field.spec, entry)) return false
  }
  return open === true || Object.keys(value).every((name) => Object.hasOwn(fields, name))
}

/** Whether a field is absent, and may be. */
export const isOmitted = ({ presence, orNull }: Field, value: unknown): boolean =>
  value === undefined ? presence !== 'required' : value === null && orNull === true
