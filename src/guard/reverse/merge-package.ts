/** Merges a manifest of npm or composer: the test configuration of the base with the product of the candidate. */

type Json = { [key: string]: unknown }

/** Keys that only configure tools. */
const tooling = [
  'scripts',
  'config',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'tap',
  'tape',
  'babel',
  'uvu',
  'jasmine',
  'tsd',
  'wallaby',
  'swc',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'stylelint',
  'standard',
  'xo',
  'husky',
  'lint-staged',
  'lefthook',
  'wireit',
  'nx',
  'volta',
  'autoload-dev',
]
/** Keys that decide which module an import resolves to. */
const entries = ['main', 'module', 'browser', 'exports', 'imports', 'bin', 'types', 'typings']

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Returns null when either side cannot be parsed; the whole file of the base is used then. `isGone`: whether the
 * candidate removed a file.
 */
export function mergePackage(before: string, after: string, isGone: (path: string) => boolean): string | null {
  const [base, candidate] = [parse(before), parse(after)]
  if (base === null || candidate === null) return null
  const merged: Json = { ...candidate }
  for (const key of tooling) put(merged, key, base[key])
  for (const key of entries) {
    const targets = key in base ? textsOf(base[key]) : ['index.js']
    if (targets.some((target) => isGone(target.replace(/^\.\//, '')))) continue
    put(merged, key, key in base ? mergeEntries(key, base[key], candidate[key]) : newEntries(candidate[key], key))
  }
  return JSON.stringify(merged) === JSON.stringify(candidate) ? after : `${JSON.stringify(merged, null, 2)}\n`
}

function put(object: Json, key: string, value: unknown): void {
  if (value === undefined) delete object[key]
  else object[key] = value
}

/** Entries of the base keep their targets; new entries come from the candidate. */
function mergeEntries(key: string, was: unknown, is: unknown): unknown {
  if (key !== 'exports' && key !== 'imports') return was
  const [before, after] = [byName(was), byName(is)]
  return before === null || after === null ? was : { ...after, ...before }
}

/** `exports` may be a single target or its conditions; both stand for `.`. */
function byName(value: unknown): Json | null {
  if (typeof value === 'string' || Array.isArray(value)) return { '.': value }
  if (!isObject(value)) return null
  return Object.keys(value).every((key) => /^[.#]/.test(key)) ? value : { '.': value }
}

/** A package without `exports` resolves through `main`: a new `exports` must not redirect its tests. */
function newEntries(is: unknown, key: string): unknown {
  return key === 'imports' || key === 'types' || key === 'typings' || key === 'bin' ? is : undefined
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isObject(value) ? Object.values(value).flatMap(textsOf) : []
}
