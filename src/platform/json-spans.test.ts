import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { elementsAt, membersAt, skipGap, skipSpace, skipValue, survey } from './json-spans.ts'
import { parseJsonc } from './jsonc.ts'

describe('spans', () => {
  const spaced = fc
    .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n', '\t', '\r\n  '))
    .map(([value, gap]) => `${gap}${JSON.stringify(value, null, gap.trim() === '' ? gap : '')}${gap}`)

  const read = (text: string, start: number): unknown => {
    if (text[start] === '{')
      return Object.fromEntries(membersAt(text, start).map(({ name, value }) => [name, read(text, value.start)]))
    if (text[start] === '[') return elementsAt(text, start).map((element) => read(text, element.start))
    return JSON.parse(text.slice(start, skipValue(text, start)))
  }

  test('cut any JSON into the parts that JSON.parse finds', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        const start = skipSpace(text, 0)
        expect(read(text, start)).toEqual(JSON.parse(text))
        expect(skipValue(text, start)).toBe(text.trimEnd().length)
      }),
      { numRuns: tries(1_000) },
    )
  })

  const print = (value: unknown, gap: string, last: string): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const entries = Array.isArray(value)
      ? value.map((each) => print(each, gap, last))
      : Object.entries(value).map(([key, each]) => [JSON.stringify(key), ':', print(each, gap, last)].join(gap))
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
    const inside = entries.map((each) => gap + each + gap).join(',')
    return `${open}${inside}${entries.length > 0 ? last : gap}${close}`
  }

  test('skip comments, and commas before a closing bracket', () => {
    const gaps = fc.constantFrom('', ' ', '/* "}],: */', '// ]},"\n', ' /**/\t/* /* */\r\n//\n')
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), gaps, fc.constantFrom('', ',', ', // last\n'), (value, gap, last) => {
        const text = `${gap}${print(value, gap, last)}${gap}`
        expect(read(text, skipGap(text, 0))).toEqual(parseJsonc(text))
        expect(parseJsonc(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(skipGap(text, skipValue(text, skipGap(text, 0)))).toBe(text.length)
      }),
      { numRuns: tries(1_000) },
    )
  })

  test('are counted', () => {
    expect(survey('{"a:":[{"b":1,"\\":":2},{}],"c":[[[]]]}')).toEqual({ members: 4, depth: 4 })
  })
})
