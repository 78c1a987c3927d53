/** Takes a configuration apart into its single values, each with what the table says of it. */
import { memberSpec } from './merge.ts'
import { isSecret } from './spec.ts'
import type { Spec } from './spec.ts'
import { isObject } from '../model/object.ts'

/** Values that are no objects, or objects with nothing in them. */
export function leaves(spec: Spec, value: unknown, path: readonly string[] = []): [path: string[], value: unknown][] {
  const members = isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : []
  if (members.length === 0) return [[[...path], value]]
  return members.flatMap(([name, member]) => {
    const inner = memberSpec(spec, name)
    return inner === undefined ? [] : leaves(inner, member, [...path, name])
  })
}

const mask = '***'

/** The same value, with a mask on what is secret. */
export function masked(spec: Spec, value: unknown): unknown {
  if (typeof value === 'string') return isSecret(spec) ? mask : value
  // Names in a list are no secrets: those of `secrets` say what to mask.
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : masked(itemSpec(spec), item)))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = memberSpec(spec.kind === 'shorthand' ? spec.full : spec, name)
      return [name, inner === undefined ? member : masked(inner, member)]
    }),
  )
}

/** What the entries of a list have to be. */
function itemSpec(spec: Spec): Spec {
  if (spec.kind === 'list') return spec.of
  return spec.kind === 'nullable' ? itemSpec(spec.of) : spec
}
