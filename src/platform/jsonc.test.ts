import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { JsonProblem, parseJson, parseJsonc, positionIn } from './jsonc.ts'

const problemOf = (text: string, parse: (text: string) => unknown = parseJsonc): string => {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof JsonProblem) return `${error.line}:${error.column} ${error.message}`
    throw error
  }
  return 'none'
}

describe('parseJsonc', () => {
  test.each<[string, unknown]>([
    ['{}', {}],
    [' [ ] ', []],
    ['// first\n{ "a": 1, /* in\nside */ "b": [1, 2,], } // last', { a: 1, b: [1, 2] }],
    [
      '{ "a": "// no comment", "b": "/* nor this */", "c": "\\"//", }',
      { a: '// no comment', b: '/* nor this */', c: '"//' },
    ],
    ['"\\u0041\\n\\/"', 'A\n/'],
    ['-0.5e+3', -500],
    ['1e999', Infinity],
    ['{"":null}', { '': null }],
    ['/**/null//', null],
    ['/***/1/* * /**/', 1],
    ['[\r\n\ttrue\r\n]', [true]],
  ])('reads %s', (text, value) => {
    expect(parseJsonc(text)).toEqual(value)
  })

  test.each([
    ['', '1:1 expected a value, found end of file'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 expected "," or "}", found "\\""'],
    ['{ "a" 1 }', '1:7 expected ":" after the key, found "1"'],
    ['{ a: 1 }', '1:3 expected a key in double quotes, found "a"'],
    ["{ 'a': 1 }", '1:3 expected a key in double quotes, found "\'"'],
    ['[1, 2', '1:6 expected "," or "]", found end of file'],
    ['[,]', '1:2 expected a value, found ","'],
    ['{,}', '1:2 expected a key in double quotes, found ","'],
    ['[1,,]', '1:4 expected a value, found ","'],
    ['{} x', '1:4 unexpected "x" after the end'],
    ['{ /* open', '1:3 a comment that is not closed'],
    ['"open', '1:1 a string that is not closed'],
    ['"two\nlines"', '1:1 a string that is not closed'],
    [' "\\x"', '1:2 a string with a bad escape or a control character'],
    ['"\t"', '1:1 a string with a bad escape or a control character'],
    ['01', '1:1 expected a value, found "0"'],
    ['1.', '1:1 expected a value, found "1"'],
    ['+1', '1:1 expected a value, found "+"'],
    ['NaN', '1:1 expected a value, found "N"'],
    ['nullx', '1:1 expected a value, found "n"'],
    ['\u001B[31m', '1:1 expected a value, found "\\u001b"'],
    ['{"a":1,"a":2}', '1:8 the key "a" appears twice'],
    ['['.repeat(100_000), '1:101 more than 100 levels deep'],
  ])('says where %j is wrong', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })

  test('makes __proto__ an ordinary key', () => {
    const value = parseJsonc('{"__proto__":{"polluted":true}}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (json, indent) => {
        const value: unknown = JSON.parse(json)
        expect(parseJsonc(JSON.stringify(value, null, indent))).toEqual(value)
      }),
    )
  })

  test('throws nothing but JsonProblem, with a place inside the text', () => {
    const piece = fc.constantFrom(...'{}[],:"\\/*\n 1-e'.split(''), '//', '/*', '*/', 'true', 'null', '"a"', 'é')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        try {
          parseJsonc(text)
        } catch (error) {
          expect(error).toBeInstanceOf(JsonProblem)
          if (!(error instanceof JsonProblem)) return
          expect(error.line).toBeLessThanOrEqual(text.split('\n').length)
          expect(error.column).toBeGreaterThan(0)
        }
      }),
      { numRuns: tries(2_000) },
    )
  })

  test('survives a megabyte of anything', () => {
    for (const text of [
      `"${'a'.repeat(1_000_000)}`,
      ...[' ', '/', '/*', '1', '"a"', '\\'].map((piece) => piece.repeat(1_000_000)),
    ]) {
      expect(() => problemOf(text)).not.toThrow()
    }
  })
})

describe('parseJson', () => {
  test.each([
    ['[1, // one\n2]', '1:5 expected a value, found "/"'],
    ['/* */ 1', '1:1 expected a value, found "/"'],
    ['{\n  "a": 1,\n}', '2:9 a comma before "}"'],
    ['[1, 2,]', '1:6 a comma before "]"'],
    ['\uFEFF{}', '1:1 expected a value, found "\\u{feff}"'],
    ['{"a":1,"a":2}', '1:8 the key "a" appears twice'],
    ['['.repeat(100_000), '1:101 more than 100 levels deep'],
  ])('says where %j is wrong', (text, problem) => {
    expect(problemOf(text, parseJson)).toBe(problem)
  })

  test('reports every duplicate key, and continues', () => {
    const told: [string, number][] = []
    expect(parseJson('{"a":1,"\\u0061":{"b":1,"b":2},"c":3}', (key, at) => told.push([key, at]))).toEqual({
      a: { b: 2 },
      c: 3,
    })
    expect(told).toEqual([
      ['a', 7],
      ['b', 23],
    ])
  })

  const valid = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }

  test('accepts what JSON.parse accepts, with the same meaning, and nothing else', () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\\n \t1-.e0u'.split(''),
      '//',
      'true',
      'null',
      '"a"',
      '"b":',
      'é',
      '\u0000',
      '\uFEFF',
      '\\u0041',
      '\\x',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
          fc.json(),
        ),
        (text) => {
          const problem = problemOf(text, (each) => parseJson(each, () => {}))
          expect(problem === 'none').toBe(valid(text))
          if (problem === 'none') expect(parseJson(text, () => {})).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: tries(5_000) },
    )
  })
})

test('positionIn counts lines and columns from 1', () => {
  const positionAt = positionIn('ab\r\n\ncd')
  expect([0, 1, 3, 4, 5, 6, 7].map((at) => Object.values(positionAt(at)).join(':'))).toEqual([
    '1:1',
    '1:2',
    '1:4',
    '2:1',
    '3:1',
    '3:2',
    '3:3',
  ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n')), fc.nat(30), (pieces, wanted) => {
      const text = pieces.join('')
      const at = Math.min(wanted, text.length)
      const before = text.slice(0, at).split('\n')
      expect(positionIn(text)(at)).toEqual({ line: before.length, column: before.at(-1)!.length + 1 })
    }),
  )
})
