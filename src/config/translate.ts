/** Turns names of other loop runners into Looper's own, each a layer that tells which name it came from. */
import { aliases } from './aliases.ts'
import type { Alias, Other } from './aliases.ts'
import type { Environment } from './environment.ts'
import { settingsSpec } from './keys.ts'
import { holds, singleLayer } from './layer.ts'
import type { Layer } from './layer.ts'
import { memberSpec } from './merge.ts'
import { quote } from '../platform/quote.ts'
import type { Spec } from './spec.ts'
import { readText } from './text-value.ts'
import { isObject } from '../model/object.ts'

interface Use {
  alias: Alias
  /** The path of the key that is meant; null when there is none. */
  path: readonly string[] | null
  value: unknown
  /** As it stands in the file or the environment. */
  name: string
}

export interface Translated<T> {
  /** What is left when the foreign names are taken out. */
  rest: T
  /** To be laid under what is left: a name of our own beats another one for the same. */
  layers: Layer[]
  warnings: string[]
}

/** Throws CONFIG_INVALID for a value that its key does not take. `place`: how `looper config` and messages call the file. */
export function translateFile(raw: Readonly<Record<string, unknown>>, place: { name: string; where: string }): Translated<Record<string, unknown>> {
  const other: Other = (name) => valueAt(raw, name.split('.'))
  let rest: Record<string, unknown> = { ...raw }
  const uses = aliases.filter((alias) => alias.place === 'file').flatMap((alias) =>
    matches(raw, alias.name.split('.')).flatMap(({ path, names }): Use[] => {
      const value = valueAt(raw, path)
      if (alias.takes?.(value, other) === false) return []
      rest = removed(rest, path)
      return [{ alias, path: target(alias, names), value, name: path.join('.') }]
    }))
  const { where } = place
  return { rest, ...translate(uses, other, (name) => ({ source: `${place.name} (${where}: ${name})`, where: `${where} (${quote(name)})` }), where) }
}

/** Variables that are empty are not set. */
export function translateVariables(env: Environment): Translated<Environment> {
  const set = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text.trim() !== ''))
  const other: Other = (name) => set[name]
  const uses = aliases.filter(({ place }) => place === 'variable').flatMap((alias): Use[] => {
    const value = set[alias.name]
    if (value === undefined || 'elsewhere' in alias.means || alias.takes?.(value, other) === false) return []
    return [{ alias, path: target(alias, []), value, name: alias.name }]
  })
  const gone = new Set(uses.map(({ name }) => name))
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !gone.has(name)))
  return { rest, ...translate(uses, other, (name) => ({ source: `env ${name}`, where: name }), null) }
}

/** Of two names for the same key, real or foreign, only one can be followed. */
export function contradictions(foreign: readonly Layer[], own: readonly Layer[]): string[] {
  return foreign.flatMap((layer, index) => {
    const winner = own.findLast(({ value }) => holds(value, layer.path ?? [])) ?? foreign.slice(index + 1).findLast(({ path, value }) =>
      path?.join('.') === layer.path?.join('.') && JSON.stringify(value) !== JSON.stringify(layer.value))
    const key = quote((layer.path ?? []).join('.'))
    return winner === undefined ? [] : [`${layer.where} is not followed: ${winner.path === undefined ? `${key} in ${winner.where}` : winner.where} says it, too`]
  })
}

type Describe = (name: string) => { source: string; where: string }

function translate(uses: readonly Use[], other: Other, describe: Describe, file: string | null): Pick<Translated<unknown>, 'layers' | 'warnings'> {
  const layers: Layer[] = []
  const warnings: string[] = []
  for (const { alias, path, value, name } of uses) {
    const { source, where } = describe(name)
    if (path === null) {
      if ('instead' in alias.means) warnings.push(`${file === null ? quote(name) : `${file}: ${quote(name)}`} of ${alias.tool} has no effect. ${alias.means.instead}`)
      continue
    }
    const ours = alias.read === undefined ? value : alias.read(value, other)
    if (ours === undefined) continue
    const readable = alias.place === 'variable' && typeof ours === 'string'
    layers.push({ ...singleLayer(source, { where }, { path }, () => readable ? readText(specAt(path), ours) : ours), path })
  }
  return { layers, warnings }
}

/** The key that is meant, with the names that were found in the places of `*`. */
function target({ means }: Alias, names: readonly string[]): string[] | null {
  if (!('key' in means)) return null
  const left = [...names]
  return means.key.split('.').map((part) => part === '*' ? left.shift() ?? part : part)
}

function specAt(path: readonly string[]): Spec {
  return path.reduce((spec, name) => memberSpec(spec, name) ?? spec, settingsSpec)
}

/** Every place in a value that a path with `*` in it leads to. */
function matches(value: unknown, [part, ...rest]: readonly string[], path: readonly string[] = [], names: readonly string[] = []): { path: string[]; names: string[] }[] {
  if (part === undefined) return [{ path: [...path], names: [...names] }]
  if (!isObject(value)) return []
  const found = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : []
  return found.flatMap((name) => matches(value[name], rest, [...path, name], part === '*' ? [...names, name] : names))
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined, value)

/** A copy without that member, and without what held nothing else. */
function removed(value: Readonly<Record<string, unknown>>, [name = '', ...rest]: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => {
    if (key !== name) return [[key, member]]
    if (rest.length === 0 || !isObject(member)) return []
    const left = removed(member, rest)
    return Object.keys(left).length === 0 ? [] : [[key, left]]
  }))
}
