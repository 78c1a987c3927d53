/** Law: validation, its problems and the JSON Schema of a spec agree about every value. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { z } from 'zod'
import { example, omittable, optional, required } from './field.ts'
import { fits } from './fits.ts'
import { schemaOf } from './json-schema.ts'
import { problemsIn } from './problems.ts'
import type { Field, Fields, Spec } from './shape.ts'
import {
  anyText,
  boolean,
  choice,
  list,
  nullable,
  number,
  object,
  openObject,
  per,
  positive,
  record,
  shorthand,
  string,
  text,
  textLike,
  whole,
} from './spec.ts'

const names = ['a', 'b', 'todo', 'x']
const scalars: readonly Spec[] = [
  string,
  anyText,
  text,
  boolean,
  choice('a', 'todo'),
  textLike('a name', /^[a-z]+$/),
  whole(),
  whole({ min: 1, max: 1 }),
  number({ min: -1, max: 1 }),
  positive(2),
]

const { spec } = fc.letrec<{ spec: Spec; fields: Fields; object: Spec }>((tie) => ({
  spec: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...scalars),
    tie('object'),
    tie('spec').map((of) => nullable(of)),
    fc.tuple(tie('spec'), fc.nat(2)).map(([of, min]) => list(of, min)),
    tie('spec').map((of) => record(of, /^[a-z]+$/, 'a name')),
    tie('spec').map((of) => per(['a', 'b'], of, (name) => `About ${name}.`)),
    tie('object').map((of) => shorthand(of)),
  ),
  fields: fc.dictionary(
    fc.constantFrom(...names),
    fc
      .tuple(fc.constantFrom<((spec: Spec, about: string) => Field)[]>(optional, omittable, required), tie('spec'))
      .map(([make, of]) => example(make(of, 'A field.'), 1)),
    { noNullPrototype: true },
  ),
  object: fc
    .tuple(tie('fields'), fc.boolean())
    .map(([fields, isOpen]) => (isOpen ? openObject(fields) : object(fields))),
}))

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, 1, -1, 0.5, 2, 3, '', ' ', 'a', 'todo', 'A b', {}, []),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, 'else', 'N 1'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

/** A value of the spec, for many cases; null where the spec is too narrow for a simple one. */
function fitting(of: Spec): unknown {
  switch (of.kind) {
    case 'text':
      return 'todo'
    case 'choice':
      return of.of[0]
    case 'boolean':
      return true
    case 'number':
      return 1
    case 'list':
      return Array.from({ length: of.min }, () => fitting(of.of))
    case 'record':
      return { a: fitting(of.of) }
    case 'object':
      return Object.fromEntries(Object.entries(of.fields).map(([name, field]) => [name, fitting(field.spec)]))
    case 'nullable':
      return fitting(of.of)
    case 'shorthand':
      return fitting(of.full)
  }
}

test('a value is accepted, without problems and valid by the JSON Schema, or none of these', () => {
  const given = fc.tuple(spec, value, fc.boolean()).map(([of, any, isFit]) => [of, isFit ? fitting(of) : any] as const)
  const counts = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(given, ([of, any]) => {
      const isAccepted = fits(of, any)
      counts[isAccepted ? 'accepted' : 'refused']++
      expect([...problemsIn(of, any)].length === 0).toBe(isAccepted)
      expect(z.fromJSONSchema(schemaOf(of)).safeParse(any).success).toBe(isAccepted)
    }),
    { numRuns: tries(400) },
  )
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(tries(100))
})

test('every problem names a value that its path leads to, or a name that is missing there', () => {
  const inside = (any: unknown, path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>((at, part) => (at as Record<string | number, unknown>)[part], any)
  fc.assert(
    fc.property(spec, value, (of, any) => {
      for (const problem of problemsIn(of, any)) {
        if (problem.kind === 'missing') expect(inside(any, problem.path)).toBeUndefined()
        else expect(inside(any, problem.path)).toBeDefined()
        if (problem.kind === 'type') expect(inside(any, problem.path)).toBe(problem.actual)
      }
    }),
    { numRuns: tries(500) },
  )
})
