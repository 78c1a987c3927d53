/** Constructors of fields: a spec with its meaning, and whether it must be present. */
import type { Field, Fields, ObjectOf, Spec } from './shape.ts'
import { object } from './spec.ts'

export const setting = <T>(spec: Spec<T>, value: T, about: string, flag?: string): Field<T> => ({
  spec,
  about,
  presence: 'defaulted',
  default: value,
  examples: [],
  flag,
})
export const optional = <T>(spec: Spec<T>, about: string): Field<T | undefined> => ({
  spec,
  about,
  presence: 'optional',
  examples: [],
})
/** May be absent or null. */
export const omittable = <T>(spec: Spec<T>, about: string): Field<T | null | undefined> => ({
  spec,
  about,
  presence: 'optional',
  orNull: true,
  examples: [],
})
export const required = <T>(spec: Spec<T>, about: string): Field<T> => ({
  spec,
  about,
  presence: 'required',
  examples: [],
})
export const group = <F extends Fields>(about: string, fields: F): Field<ObjectOf<F>> => ({
  spec: object(fields),
  about,
  presence: 'defaulted',
  examples: [],
})
/** Returns the field with sample values. */
export const example = <T>(field: Field<T>, ...examples: readonly unknown[]): Field<T> => ({ ...field, examples })
