/** Finds the problems of a value, each with its path. The caller decides how many to report, and in which words. */
import { isObject } from '../model/object.ts'
import { describe } from './describe.ts'
import { fits, fitsName, isOmitted } from './fits.ts'
import type { Path } from './path.ts'
import { isSecret } from './secret.ts'
import type { ShapeOf, Spec } from './shape.ts'
import { text } from './spec.ts'

export type Problem = { path: Path } /** `actual` must not be shown when it is `secret`. */ & (
  | { kind: 'type'; expected: string; actual: unknown; secret: boolean; choices: readonly string[] }
  /** `siblings` are the valid names at that place. */
  | { kind: 'unknown'; siblings: readonly string[] }
  | { kind: 'name'; noun: string }
  /** The name of a secret may contain part of it, as in `TOKEN=…`: the path is that of its parent. */
  | { kind: 'secretName'; noun: string }
  | { kind: 'missing' }
)

/** Each problem at its innermost path, in the order of the value; missing fields come last in their object. */
export function* problemsIn(spec: Spec, value: unknown, path: Path = []): Generator<Problem> {
  if (fits(spec, value)) return
  if (spec.kind === 'list' && Array.isArray(value) && value.length >= spec.min) {
    for (const [index, entry] of value.entries())
      if (!fits(spec.of, entry)) yield* problemsIn(spec.of, entry, [...path, index])
  } else if (spec.kind === 'record' && isObject(value)) yield* inRecord(spec, value, path)
  else if (spec.kind === 'object' && isObject(value)) yield* inObject(spec, value, path)
  else if (spec.kind === 'nullable') yield* widened(spec, spec.of, value, path)
  else if (spec.kind === 'shorthand' && typeof value === 'string') yield* widened(spec, text, value, path)
  else if (spec.kind === 'shorthand' && isObject(value)) yield* widened(spec, spec.full, value, path)
  else yield mismatch(spec, value, path)
}

function mismatch(spec: Spec, actual: unknown, path: Path): Problem {
  const secret = isSecret(spec, typeof actual === 'object' ? 'full' : 'short')
  const choices = spec.kind === 'choice' ? spec.of : []
  return { kind: 'type', path, expected: describe(spec), actual, secret, choices }
}

function* inRecord(spec: ShapeOf<'record'>, value: Record<string, unknown>, path: Path): Generator<Problem> {
  for (const [name, entry] of Object.entries(value)) {
    if (fitsName(spec, name)) yield* problemsIn(spec.of, entry, [...path, name])
    else yield badName(spec, name, path)
  }
}

function badName({ names, nameNoun: noun, of }: ShapeOf<'record'>, name: string, path: Path): Problem {
  if (!(names instanceof RegExp)) return { kind: 'unknown', path: [...path, name], siblings: names }
  return of.secret ? { kind: 'secretName', path, noun } : { kind: 'name', path: [...path, name], noun }
}

function* inObject(
  { fields, open }: ShapeOf<'object'>,
  value: Record<string, unknown>,
  path: Path,
): Generator<Problem> {
  for (const [name, entry] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const at = [...path, name]
    if (field !== undefined && !isOmitted(field, entry)) yield* problemsIn(field.spec, entry, at)
    if (field === undefined && !open) yield unknown(fields, at)
  }
  for (const [name, { presence }] of Object.entries(fields))
    if (presence === 'required' && !Object.hasOwn(value, name)) yield missing([...path, name])
}

const unknown = (fields: object, path: Path): Problem => ({ kind: 'unknown', path, siblings: Object.keys(fields) })
const missing = (path: Path): Problem => ({ kind: 'missing', path })

/** When the value itself is wrong, not something inside it, the message lists all valid forms. */
function* widened(spec: Spec, form: Spec, value: unknown, path: Path): Generator<Problem> {
  for (const problem of problemsIn(form, value, path)) {
    const isWhole = problem.kind === 'type' && problem.path.length === path.length
    yield isWhole ? { ...problem, expected: describe(spec) } : problem
  }
}
