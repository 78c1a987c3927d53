import { describe as suite, expect, expectTypeOf, test } from 'vitest'
import { describe } from './describe.ts'
import { group, omittable, optional, required, setting } from './field.ts'
import { pathText } from './path.ts'
import { problemsIn } from './problems.ts'
import type { ObjectOf, Spec } from './shape.ts'
import {
  boolean,
  called,
  choice,
  list,
  names,
  nullable,
  number,
  object,
  openObject,
  per,
  positive,
  record,
  secret,
  shorthand,
  string,
  text,
  whole,
} from './spec.ts'

suite('types', () => {
  test('are inferred from a declaration', () => {
    const fields = {
      id: required(text, 'A.'),
      state: setting(choice('open', 'closed'), 'open', 'B.'),
      size: optional(nullable(whole()), 'C.'),
      tags: omittable(list(string), 'D.'),
      limits: group('E.', { turns: setting(nullable(number()), null, 'F.'), loud: optional(boolean, 'G.') }),
      checks: setting(names(shorthand(object({ run: required(text, 'H.') }))), [], 'I.'),
      race: setting(
        per(['a', 'b'], positive(1), (name) => name),
        {},
        'J.',
      ),
      env: setting(record(text, /x/, 'a name'), {}, 'K.'),
    }
    expectTypeOf<ObjectOf<typeof fields>>().toEqualTypeOf<{
      id: string
      state: 'open' | 'closed'
      size?: number | null
      tags?: string[] | null
      limits: { turns: number | null; loud?: boolean }
      checks: (string | { run: string })[]
      race: Partial<Record<'a' | 'b', number>>
      env: Record<string, string>
    }>()
  })
})

suite('describe', () => {
  test.each<[Spec, string]>([
    [string, 'a text'],
    [text, 'a text that is not empty'],
    [choice('a', 'b'), 'one of a, b'],
    [boolean, 'true or false'],
    [whole(), 'a whole number of at least 0'],
    [whole({ min: 1, max: 10 }), 'a whole number from 1 to 10'],
    [number({ max: 1 }), 'a number from 0 to 1'],
    [positive(7), 'a number above 0 and at most 7'],
    [list(text), 'a list'],
    [list(text, 1), 'a list that is not empty'],
    [object({}), 'an object'],
    [nullable(whole()), 'a whole number of at least 0, or null'],
    [shorthand(object({})), 'a text or an object'],
    [called('a list of names', list(text)), 'a list of names'],
    [nullable(called('a name', text)), 'a name, or null'],
  ])('%j', (spec, words) => {
    expect(describe(spec)).toBe(words)
  })
})

suite('problems', () => {
  const spec = openObject({
    id: required(text, 'A.'),
    tags: omittable(list(text), 'B.'),
    inner: optional(object({ key: required(secret(text), 'C.') }), 'D.'),
  })

  test('are all found, in the order of the value, each with its path', () => {
    const value = { inner: { kez: 1, key: 2 }, else: 1, tags: ['a', '', 3] }
    expect([...problemsIn(spec, value)].map(({ path, kind }) => `${pathText(path)} ${kind}`)).toEqual([
      'inner.kez unknown',
      'inner.key type',
      'tags[1] type',
      'tags[2] type',
      'id missing',
    ])
  })

  test('are found one by one', () => {
    expect(problemsIn(spec, { inner: {}, id: 1 }).next().value).toEqual({ kind: 'missing', path: ['inner', 'key'] })
  })

  test('say what may not be shown', () => {
    expect([...problemsIn(spec, { id: 'x', inner: { key: 2 } })]).toEqual([
      {
        kind: 'type',
        path: ['inner', 'key'],
        expected: 'a text that is not empty',
        actual: 2,
        secret: true,
        choices: [],
      },
    ])
  })

  test('take null as absent only where a field may be omitted', () => {
    expect([...problemsIn(spec, { id: 'x', tags: null })]).toEqual([])
    expect([...problemsIn(spec, { id: null, inner: null })].map(({ path }) => pathText(path))).toEqual(['id', 'inner'])
  })
})
