/** Splits a configuration into its single values, and masks the secret ones. */
import { memberSpec } from './merge.ts'
import { isSecret } from '../schema/secret.ts'
import type { Spec } from '../schema/shape.ts'
import { isObject } from '../model/object.ts'

/** Leaves are values that are not objects, and empty objects. */
export function leaves(spec: Spec, value: unknown, path: readonly string[] = []): [path: string[], value: unknown][] {
  const members = isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : []
  if (members.length === 0) return [[[...path], value]]
  return members.flatMap(([name, member]) => {
    const inner = memberSpec(spec, name)
    return inner === undefined ? [] : leaves(inner, member, [...path, name])
  })
}

const mask = '***'

/** Returns the value with its secrets masked. */
export function masked(spec: Spec, value: unknown): unknown {
  if (typeof value === 'string') return isSecret(spec) ? mask : value
  // Names in a list are not secret: those in `secrets` only name the variables to mask.
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : masked(itemSpec(spec), item)))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = memberSpec(spec.kind === 'shorthand' ? spec.full : spec, name)
      return [name, inner === undefined ? member : masked(inner, member)]
    }),
  )
}

/** Returns the spec of the entries of a list. */
function itemSpec(spec: Spec): Spec {
  if (spec.kind === 'list') return spec.of
  return spec.kind === 'nullable' ? itemSpec(spec.of) : spec
}
