/** Merges layers: objects key by key, while any other value is replaced. */
import { settings, settingsSpec } from './keys.ts'
import type { Settings } from './keys.ts'
import type { Layer } from './layer.ts'
import type { Fields, Spec } from '../schema/shape.ts'
import { isObject } from '../model/object.ts'

export const defaultsLayer = (): Layer => ({ where: 'defaults', source: 'default', value: defaultsOf(settings) })

function defaultsOf(fields: Fields): Record<string, unknown> {
  const defaulted = Object.entries(fields).filter(([, { presence }]) => presence === 'defaulted')
  return Object.fromEntries(
    defaulted.map(([name, { spec, default: value }]) => [
      name,
      spec.kind === 'object' ? defaultsOf(spec.fields) : structuredClone(value),
    ]),
  )
}

/** The cast is safe: valid layers over the defaults contain every setting. */
export const mergeLayers = (layers: readonly Layer[]): Settings =>
  layers.reduce<unknown>((below, layer) => merge(settingsSpec, below, layer.value), {}) as Settings

function merge(spec: Spec, below: unknown, above: unknown): unknown {
  if ((spec.kind !== 'object' && spec.kind !== 'record') || !isObject(below) || !isObject(above)) return above
  const merged = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const inner = memberSpec(spec, name)
    merged[name] = inner !== undefined && Object.hasOwn(below, name) ? merge(inner, below[name], value) : value
  }
  return merged
}

/** Returns the spec of a member; undefined when the spec is not an object, or has no such member. */
export function memberSpec(spec: Spec, name: string): Spec | undefined {
  if (spec.kind === 'record') return spec.of
  if (spec.kind !== 'object' || !Object.hasOwn(spec.fields, name)) return undefined
  return spec.fields[name]?.spec
}
