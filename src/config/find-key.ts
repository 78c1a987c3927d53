/** Finds the key for a dotted name, even when user-defined names contain dots, or suggests the nearest one. */
import { LooperError } from '../model/error.ts'
import { aliases } from './aliases.ts'
import { keys, openKeys, settingsSpec } from './keys.ts'
import { nearest } from '../views/text/nearest.ts'
import { keyEndingIn, meant } from './problem.ts'
import { quote } from '../platform/quote.ts'
import type { Spec } from '../schema/shape.ts'
import { isObject } from '../model/object.ts'

export interface FoundKey {
  path: readonly string[]
  spec: Spec
}

/**
 * `config` provides the names in use: when `agents.my.own.model` can be read in several ways, one that exists is
 * preferred. Throws USAGE_ARGUMENTS.
 */
export function findKey(name: string, config: unknown): FoundKey {
  const found = search(settingsSpec, name.split('.'), config, [])
  if (found !== null) return found
  const suggestion = suggest(name)
  throw new LooperError('USAGE_ARGUMENTS', `there is no key ${quote(name)}${meant(suggestion)}`, {
    hint: '`looper config` shows all keys with their values.',
    details: { key: name, nearest: suggestion },
  })
}

function search(spec: Spec, segments: readonly string[], value: unknown, path: readonly string[]): FoundKey | null {
  const [first, ...rest] = segments
  if (first === undefined) return { path, spec }
  if (spec.kind === 'nullable') return search(spec.of, segments, value, path)
  if (spec.kind === 'object') {
    const field = Object.hasOwn(spec.fields, first) ? spec.fields[first] : undefined
    return field === undefined ? null : search(field.spec, rest, member(value, first), [...path, first])
  }
  if (spec.kind !== 'record') return null
  for (const { name, after } of readings(segments, value)) {
    const fits =
      spec.names instanceof RegExp ? spec.names.test(name) && !(name in Object.prototype) : spec.names.includes(name)
    const found = fits ? search(spec.of, after, member(value, name), [...path, name]) : null
    if (found !== null) return found
  }
  return null
}

/**
 * Names in use come first, the longest first; then new names, the shortest first. A new name may contain dots only when
 * a key follows it: otherwise it is probably a typo.
 */
function readings(segments: readonly string[], value: unknown): { name: string; after: string[] }[] {
  const all = segments.map((_, index) => ({
    name: segments.slice(0, index + 1).join('.'),
    after: segments.slice(index + 1),
  }))
  const used = all.filter(({ name }) => isObject(value) && Object.hasOwn(value, name))
  return [
    ...used.toReversed(),
    ...all.filter((reading, index) => !used.includes(reading) && (index === 0 || reading.after.length > 0)),
  ]
}

const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** For a name of another tool, suggests the key that it stands for. */
function suggest(name: string): string | null {
  const [, chosen = ''] = name.split('.')
  const foreign = aliases.find((alias) => alias.origin === 'file' && alias.name.replace('*', chosen) === name)
  if (foreign !== undefined && 'key' in foreign.means) return foreign.means.key.replace('*', chosen)
  const all = [...keys, ...openKeys].map((key) => key.name.replace('*', chosen)).filter((key) => !key.includes('*'))
  return nearest(name, all) ?? keyEndingIn(name)
}
