/** Validates a value against the table. It reports only the first problem: fixing it often fixes the others. */
import { isObject } from '../model/object.ts'
import { describe } from './describe.ts'
import { isSecret, text } from './spec.ts'
import type { Fields, Shape, Spec } from './spec.ts'

export type Path = readonly (string | number)[]

export type Problem = { path: Path } /** `actual` must not be shown when it is `secret`. */ & (
  | { kind: 'type'; expected: string; actual: unknown; secret: boolean; choices: readonly string[] }
  /** `siblings` are the valid names at that place. */
  | { kind: 'unknown'; siblings: readonly string[] }
  | { kind: 'name'; noun: string }
  /** The name of a secret may contain part of it, as in `TOKEN=…`: the path is that of its parent. */
  | { kind: 'secretName'; noun: string }
  | { kind: 'missing' }
)

export function findProblem(spec: Spec, value: unknown, path: Path = []): Problem | null {
  switch (spec.kind) {
    case 'text':
      return typeof value === 'string' && spec.pattern.test(value) ? null : mismatch(spec, value, path)
    case 'choice':
      return typeof value === 'string' && spec.of.includes(value) ? null : mismatch(spec, value, path, spec.of)
    case 'boolean':
      return typeof value === 'boolean' ? null : mismatch(spec, value, path)
    case 'number':
      return typeof value === 'number' && fits(spec, value) ? null : mismatch(spec, value, path)
    case 'list':
      return inList(spec, value, path)
    case 'record':
      return inRecord(spec, value, path)
    case 'object':
      return isObject(value) ? inObject(spec.fields, value, path) : mismatch(spec, value, path)
    case 'nullable':
      return value === null ? null : widen(findProblem(spec.of, value, path), spec, path)
    case 'shorthand':
      return inShorthand(spec, value, path)
  }
}

function inShorthand(spec: Extract<Shape, { kind: 'shorthand' }>, value: unknown, path: Path): Problem | null {
  if (typeof value !== 'string' && !isObject(value)) return mismatch(spec, value, path)
  return widen(findProblem(typeof value === 'string' ? text : spec.full, value, path), spec, path)
}

/** Returns the value at a path; undefined when there is none. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  )

function mismatch(spec: Spec, actual: unknown, path: Path, choices: readonly string[] = []): Problem {
  const secret = isSecret(spec, typeof actual === 'object' ? 'full' : 'short')
  return { kind: 'type', path, expected: describe(spec), actual, secret, choices }
}

const fits = ({ whole, min, max, aboveMin }: Extract<Shape, { kind: 'number' }>, value: number): boolean =>
  (!whole || Number.isSafeInteger(value)) && (aboveMin ? value > min : value >= min) && value <= max

function inList(spec: Extract<Shape, { kind: 'list' }>, value: unknown, path: Path): Problem | null {
  if (!Array.isArray(value) || value.length < spec.min) return mismatch(spec, value, path)
  return first(value.entries(), ([index, entry]) => findProblem(spec.of, entry, [...path, index]))
}

function inRecord(spec: Extract<Shape, { kind: 'record' }>, value: unknown, path: Path): Problem | null {
  if (!isObject(value)) return mismatch(spec, value, path)
  return first(Object.entries(value), ([name, entry]) => {
    return badName(spec, name, path) ?? findProblem(spec.of, entry, [...path, name])
  })
}

/** Rejects inherited names of objects, such as `constructor`: lookups would find them where nothing is configured. */
function badName({ names, noun, of }: Extract<Shape, { kind: 'record' }>, name: string, path: Path): Problem | null {
  const at = [...path, name]
  if (!(names instanceof RegExp)) return names.includes(name) ? null : { kind: 'unknown', path: at, siblings: names }
  if (names.test(name) && !(name in Object.prototype)) return null
  return of.secret ? { kind: 'secretName', path, noun } : { kind: 'name', path: at, noun }
}

function inObject(fields: Fields, value: Record<string, unknown>, path: Path): Problem | null {
  const wrong = first(Object.entries(value), ([name, entry]): Problem | null => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const at = [...path, name]
    return field === undefined
      ? { kind: 'unknown', path: at, siblings: Object.keys(fields) }
      : findProblem(field.spec, entry, at)
  })
  return (
    wrong
    ?? first(Object.entries(fields), ([name, { presence }]) =>
      presence === 'required' && !Object.hasOwn(value, name) ? { kind: 'missing', path: [...path, name] } : null,
    )
  )
}

/** When the value itself is wrong, not something inside it, the message lists all valid forms. */
const widen = (problem: Problem | null, spec: Spec, path: Path): Problem | null =>
  problem?.kind === 'type' && problem.path.length === path.length ? { ...problem, expected: describe(spec) } : problem

function first<T>(items: Iterable<T>, find: (item: T) => Problem | null): Problem | null {
  for (const item of items) {
    const problem = find(item)
    if (problem !== null) return problem
  }
  return null
}
