import { describe, expect, test } from 'vitest'
import { readYaml } from './yaml-value.ts'

const problem = (text: string): unknown => {
  const value = readYaml(text)
  return 'problem' in value ? value.problem : null
}

test('values know their lines', () => {
  expect(readYaml('a: 1\n\nb:\n  - x\n  - c: 2.50\n    d:\n')).toEqual({
    kind: 'map',
    line: 1,
    entries: [
      { key: 'a', line: 1, value: { kind: 'scalar', value: 1, source: '1', line: 1, literal: false } },
      {
        key: 'b',
        line: 3,
        value: {
          kind: 'list',
          line: 4,
          items: [
            { kind: 'scalar', value: 'x', source: 'x', line: 4, literal: false },
            {
              kind: 'map',
              line: 5,
              entries: [
                { key: 'c', line: 5, value: { kind: 'scalar', value: 2.5, source: '2.50', line: 5, literal: false } },
                { key: 'd', line: 6, value: { kind: 'scalar', value: null, source: '', line: 6, literal: false } },
              ],
            },
          ],
        },
      },
    ],
  })
})

test('an empty file is nothing', () => {
  expect(readYaml('# only a comment\n')).toMatchObject({ kind: 'scalar', value: null, line: 1 })
})

describe('what is refused, with its line', () => {
  test.each([
    ['a: b: c', { line: 1, message: 'nested mappings are not allowed in compact mappings' }],
    ['a: 1\nb: "x', { line: 2, message: 'missing closing "quote' }],
    ['a: 1\n---\nb: 2', { line: 2, message: 'more than one document' }],
    ['a: &x [1]\nb: *x', { line: 2, message: 'aliases like *x are not read here; write it out' }],
    ['a: 1\nb: !!js/function "x"', { line: 2, message: 'tags are not read here' }],
    ['a: 1\n? [b]\n: 2', { line: 2, message: 'a key must be one word' }],
  ])('%j', (text, expected) => {
    expect(problem(text)).toEqual(expected)
  })

  const bomb = `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *${n === 0 ? 'a' : `b${n - 1}`}]`).join('\n')}`
  test.each([
    ['a bomb of aliases', bomb, 'aliases like'],
    ['brackets', '['.repeat(200_000), 'nested too deeply'],
    ['braces', '{'.repeat(200_000), 'nested too deeply'],
    ['dashes', '- '.repeat(100_000), 'nested too deeply'],
    ['question marks', '? '.repeat(100_000), 'nested too deeply'],
    ['steps', Array.from({ length: 600 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), 'nested too deeply'],
  ])('%s', (_name, text, message) => {
    expect(problem(text)).toMatchObject({ message: expect.stringContaining(message) })
  })

  test('nesting in the line where it gets too deep', () => {
    expect(problem(`a: 1\nb: 2\nc: ${'['.repeat(100)}`)).toEqual({ line: 3, message: 'nested too deeply' })
  })

  test('a great many keys are read in no time', () => {
    const value = readYaml(Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n'))
    expect(value).toMatchObject({ kind: 'map' })
  })
})
