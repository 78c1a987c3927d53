import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonProblem, parseJsonc } from './jsonc.ts'

const problemOf = (text: string): string => {
  try {
    parseJsonc(text)
  } catch (error) {
    if (error instanceof JsonProblem) return `${error.line}:${error.column} ${error.message}`
    throw error
  }
  return 'none'
}

describe('parseJsonc', () => {
  it.each<[string, unknown]>([
    ['{}', {}],
    [' [ ] ', []],
    ['// first\n{ "a": 1, /* in\nside */ "b": [1, 2,], } // last', { a: 1, b: [1, 2] }],
    ['{ "a": "// no comment", "b": "/* nor this */", "c": "\\"//", }', { a: '// no comment', b: '/* nor this */', c: '"//' }],
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

  it.each([
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

  it('makes __proto__ an ordinary key', () => {
    const value = parseJsonc('{"__proto__":{"polluted":true}}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(fc.property(fc.json(), fc.nat(4), (json, indent) => {
      const value: unknown = JSON.parse(json)
      expect(parseJsonc(JSON.stringify(value, null, indent))).toEqual(value)
    }))
  })

  it('throws nothing but JsonProblem, with a place inside the text', () => {
    const piece = fc.constantFrom(...'{}[],:"\\/*\n 1-e'.split(''), '//', '/*', '*/', 'true', 'null', '"a"', 'é')
    fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      try {
        parseJsonc(text)
      } catch (error) {
        expect(error).toBeInstanceOf(JsonProblem)
        if (!(error instanceof JsonProblem)) return
        expect(error.line).toBeLessThanOrEqual(text.split('\n').length)
        expect(error.column).toBeGreaterThan(0)
      }
    }), { numRuns: 2_000 })
  })

  it('survives a megabyte of anything', () => {
    for (const text of [`"${'a'.repeat(1_000_000)}`, ...[' ', '/', '/*', '1', '"a"', '\\'].map((piece) => piece.repeat(1_000_000))]) {
      expect(() => problemOf(text)).not.toThrow()
    }
  })
})
