import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { editJsonc } from './jsonc-edit.ts'
import { parseJsonc } from '../platform/jsonc.ts'

const lines = (...text: string[]): string => `${text.join('\n')}\n`

describe('editJsonc', () => {
  test.each<[what: string, before: string, path: string[], value: unknown, after: string]>([
    ['an empty file', '', ['a'], 1, lines('{', '  "a": 1', '}')],
    ['an empty object', '{}', ['a', 'b'], ['x', 'y'], '{\n  "a": {\n    "b": ["x", "y"]\n  }\n}'],
    [
      'a value',
      lines('{', '  // why', '  "a": 1, // behind', '  "b": 2', '}'),
      ['a'],
      3,
      lines('{', '  // why', '  "a": 3, // behind', '  "b": 2', '}'),
    ],
    [
      'a new key',
      lines('{', '  "a": 1 // last', '  // the end', '}'),
      ['b'],
      2,
      lines('{', '  "a": 1, // last', '  "b": 2', '  // the end', '}'),
    ],
    [
      'a new key, commas behind all',
      lines('{', '\t"a": 1, /* x */', '}'),
      ['b'],
      2,
      lines('{', '\t"a": 1, /* x */', '\t"b": 2,', '}'),
    ],
    [
      'a key in a group',
      lines('{', '    "a": {', '        "b": 1', '    }', '}'),
      ['a', 'c'],
      { d: true },
      lines('{', '    "a": {', '        "b": 1,', '        "c": {', '            "d": true', '        }', '    }', '}'),
    ],
    [
      'a key in a group on one line',
      lines('{', '  "a": { "b": 1 }', '}'),
      ['a', 'c'],
      2,
      lines('{', '  "a": { "b": 1, "c": 2 }', '}'),
    ],
    ['a file on one line', '{"a":1}', ['b'], { c: [1, 2] }, '{"a":1,"b":{"c":[1,2]}}'],
    [
      'a file with nothing but a comment',
      '{\n  // nothing yet\n}\n',
      ['a'],
      1,
      lines('{', '  // nothing yet', '  "a": 1', '}'),
    ],
    ['lines of Windows', '{\r\n  "a": 1\r\n}\r\n', ['b'], 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n'],
    [
      'a group that is no object',
      lines('{', '  "a": 1', '}'),
      ['a', 'b'],
      2,
      lines('{', '  "a": {', '    "b": 2', '  }', '}'),
    ],
    [
      'a long list',
      '{}\n',
      ['a'],
      ['x'.repeat(50), 'y'.repeat(50)],
      lines('{', '  "a": [', `    "${'x'.repeat(50)}",`, `    "${'y'.repeat(50)}"`, '  ]', '}'),
    ],
    ['out: the first', lines('{', '  "a": 1,', '  "b": 2', '}'), ['a'], undefined, lines('{', '  "b": 2', '}')],
    ['out: the last', lines('{', '  "a": 1,', '  "b": 2', '}'), ['b'], undefined, lines('{', '  "a": 1', '}')],
    [
      'out: the last, commas behind all',
      lines('{', '  "a": 1,', '  "b": 2,', '}'),
      ['b'],
      undefined,
      lines('{', '  "a": 1,', '}'),
    ],
    ['out: the only one', lines('{', '  "a": { "b": 1 }', '}'), ['a', 'b'], undefined, lines('{', '  "a": { }', '}')],
    [
      'out: one with a comment',
      lines('{', '  // above', '  "a": 1, // behind', '  "b": 2', '}'),
      ['a'],
      undefined,
      lines('{', '  // above', '  // behind', '  "b": 2', '}'),
    ],
    ['out: one before the end of its line', '{ "a": 1, // c\n  "b": 2 }', ['b'], undefined, '{ "a": 1 // c\n }'],
    ['out: on one line', '{ "a": 1, "b": 2, "c": 3 }', ['b'], undefined, '{ "a": 1, "c": 3 }'],
    ['out: what is not there', '{ "a": 1 }', ['b', 'c'], undefined, '{ "a": 1 }'],
  ])('changes %s', (_, before, path, value, after) => {
    expect(editJsonc(before, path, value)).toBe(after)
  })

  test('says where a text cannot be read', () => {
    expect(() => editJsonc('{\n  "a" 1 }', ['a'], 1)).toThrow(
      expect.objectContaining({ name: 'JsonProblem', line: 2, column: 7 }),
    )
    expect(() => editJsonc(' []', ['a'], 1)).toThrow(
      expect.objectContaining({ name: 'JsonProblem', line: 1, column: 2, message: 'expected an object: { … }' }),
    )
  })

  /** Documents with numbered comments at all positions, in many styles. */
  const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'x y')
  const value = fc.jsonValue({ maxDepth: 2 })
  type Tree = { [key: string]: Tree } | readonly unknown[] | string | number | boolean | null
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, value as fc.Arbitrary<Tree>, tie('tree')), {
      maxKeys: 4,
    }),
  }))
  const gaps = fc.array(
    fc.constantFrom('', '', ' ', '\n', '\n\t', '/**/', ' // #\n', '/* # */', '/* #\n*/', '\r\n  '),
    { minLength: 1, maxLength: 20 },
  )

  /** Prints with the gaps in turn, and gives each comment its own number. */
  function write(document: Tree, between: readonly string[], trailing: boolean): string {
    let gap = 0
    let comment = 0
    const next = (): string => (between[gap++ % between.length] as string).replace('#', () => `#${++comment}#`)
    const print = (node: Tree): string => {
      if (typeof node !== 'object' || node === null || Array.isArray(node)) return JSON.stringify(node)
      const members = Object.entries(node).map(
        ([key, inner]) => `${next()}${JSON.stringify(key)}${next()}:${next()}${print(inner as Tree)}${next()}`,
      )
      return `{${members.join(',')}${trailing && members.length > 0 ? `,${next()}` : next()}}`
    }
    return `${next()}${print(document)}${next()}`
  }

  const changed = (document: unknown, [key = '', ...rest]: readonly string[], to: unknown): unknown => {
    const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
    if (!isObject && to === undefined) return document
    const entries = new Map(isObject ? Object.entries(document) : [])
    if (to === undefined && !entries.has(key)) return document
    if (rest.length === 0 && to === undefined) entries.delete(key)
    else entries.set(key, rest.length === 0 ? to : changed(entries.get(key), rest, to))
    return Object.fromEntries(entries)
  }
  const same = (one: unknown): string => JSON.stringify(one)
  const comments = (text: string): string[] => text.match(/#\d+#/g) ?? []

  test('yields what was asked for, keeps the order, and says the same when asked again', () => {
    fc.assert(
      fc.property(
        tree,
        gaps,
        fc.boolean(),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.option(value, { nil: undefined }),
        (document, between, trailing, path, to) => {
          const text = write(document, between, trailing)
          const edited = editJsonc(text, path, to)
          expect(same(parseJsonc(edited))).toBe(same(changed(parseJsonc(text), path, to)))
          expect(editJsonc(edited, path, to)).toBe(editJsonc(editJsonc(edited, path, to), path, to))
        },
      ),
      { numRuns: tries(3_000) },
    )
  })

  test('loses no comment that is not inside of what goes', () => {
    fc.assert(
      fc.property(tree, gaps, fc.boolean(), name, value, (document, between, trailing, key, to) => {
        const text = write(document, between, trailing)
        const added = editJsonc(text, ['quite new', key], to)
        expect(comments(added)).toEqual(comments(text))
        expect(editJsonc(added, ['quite new'], undefined).replace(/\s/g, '').replace(/,\}/g, '}')).toBe(
          text.replace(/\s/g, '').replace(/,\}/g, '}'),
        )
      }),
      { numRuns: tries(2_000) },
    )
  })
})
