/** Translates the names of other loop runners into Looper's keys, each as a layer that records the original name. */
import { aliases, type Alias, type Other } from './aliases.ts'
import { settingsSpec } from './keys.ts'
import { holds, singleLayer, type Environment, type Layer, type Said } from './layer.ts'
import { memberSpec } from './merge.ts'
import { quote } from '../platform/quote.ts'
import type { Spec } from '../schema/shape.ts'
import { readText } from './text-value.ts'
import { isObject } from '../model/object.ts'
import { valueAt } from './validate.ts'

type RawSettings = Record<string, unknown>

interface Use {
  alias: Alias
  /** The path of the key; null when no key corresponds. */
  path: readonly string[] | null
  value: unknown
  /** The name as written in the file or the environment. */
  name: string
}

/** These layers go below the rest: a key of Looper overrides a name of another tool. */
export interface Translated<T> extends Said {
  /** The settings without the names of other tools. */
  rest: T
}

/**
 * Throws CONFIG_INVALID for a value that its key does not accept. `file`: the name of the file in `looper config` and
 * in messages.
 */
export function translateFile(raw: RawSettings, file: { name: string; where: string }): Translated<RawSettings> {
  const other: Other = (name) => valueAt(raw, name.split('.'))
  let rest: RawSettings = { ...raw }
  const uses = aliases
    .filter((alias) => alias.origin === 'file')
    .flatMap((alias) =>
      matches(raw, alias.name.split('.')).flatMap(({ path, names }): Use[] => {
        const value = valueAt(raw, path)
        if (alias.takes?.(value, other) === false) return []
        rest = removed(rest, path)
        return [{ alias, path: target(alias, names), value, name: path.join('.') }]
      }),
    )
  const { where } = file
  const describe: Describe = (name) => ({
    source: `${file.name} (${where}: ${name})`,
    where: `${where} (${quote(name)})`,
  })
  return { rest, ...translate(uses, other, describe, where) }
}

/** Empty variables count as not set. */
export function translateVariables(env: Environment): Translated<Environment> {
  const set = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== undefined && text.trim() !== ''))
  const other: Other = (name) => set[name]
  const uses = aliases
    .filter(({ origin }) => origin === 'variable')
    .flatMap((alias): Use[] => {
      const value = set[alias.name]
      if (value === undefined || 'elsewhere' in alias.means || alias.takes?.(value, other) === false) return []
      return [{ alias, path: target(alias, []), value, name: alias.name }]
    })
  const gone = new Set(uses.map(({ name }) => name))
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !gone.has(name)))
  return { rest, ...translate(uses, other, (name) => ({ source: `env ${name}`, where: name }), null) }
}

/** Warns when two names set the same key, because only one of them has an effect. */
export function contradictions(foreign: readonly Layer[], own: readonly Layer[]): string[] {
  return foreign.flatMap((layer, index) => {
    const winner =
      own.findLast(({ value }) => holds(value, layer.path ?? []))
      ?? foreign
        .slice(index + 1)
        .findLast(
          ({ path, value }) =>
            path?.join('.') === layer.path?.join('.') && JSON.stringify(value) !== JSON.stringify(layer.value),
        )
    const key = quote((layer.path ?? []).join('.'))
    if (winner === undefined) return []
    const stronger = winner.path === undefined ? `${key} in ${winner.where}` : winner.where
    return [`${layer.where} has no effect: ${stronger} sets the same`]
  })
}

type Describe = (name: string) => { source: string; where: string }

function translate(uses: readonly Use[], other: Other, describe: Describe, file: string | null): Said {
  const layers: Layer[] = []
  const warnings: string[] = []
  for (const { alias, path, value, name } of uses) {
    const { source, where } = describe(name)
    if (path === null) {
      const said = file === null ? quote(name) : `${file}: ${quote(name)}`
      if ('instead' in alias.means) warnings.push(`${said} of ${alias.tool} has no effect. ${alias.means.instead}`)
      continue
    }
    const ours = alias.read === undefined ? value : alias.read(value, other)
    if (ours === undefined) continue
    const readable = alias.origin === 'variable' && typeof ours === 'string'
    layers.push({
      ...singleLayer(source, { where }, { path }, () => (readable ? readText(specAt(path), ours) : ours)),
      path,
    })
  }
  return { layers, warnings }
}

/** Returns the key, with `*` replaced by the names that were found. */
function target({ means }: Alias, names: readonly string[]): string[] | null {
  if (!('key' in means)) return null
  const left = [...names]
  return means.key.split('.').map((part) => (part === '*' ? (left.shift() ?? part) : part))
}

function specAt(path: readonly string[]): Spec {
  return path.reduce((spec, name) => memberSpec(spec, name) ?? spec, settingsSpec)
}

interface Match {
  path: readonly string[]
  /** The names found in place of `*`. */
  names: readonly string[]
}

/** Returns every path in a value that a pattern with `*` matches. */
function matches(value: unknown, [part, ...rest]: readonly string[], so: Match = { path: [], names: [] }): Match[] {
  if (part === undefined) return [so]
  if (!isObject(value)) return []
  const found = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : []
  return found.flatMap((name) =>
    matches(value[name], rest, { path: [...so.path, name], names: part === '*' ? [...so.names, name] : so.names }),
  )
}

/** Returns a copy without that member, and without parents that become empty. */
function removed(
  value: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      if (key !== name) return [[key, member]]
      if (rest.length === 0 || !isObject(member)) return []
      const left = removed(member, rest)
      return Object.keys(left).length === 0 ? [] : [[key, left]]
    }),
  )
}
