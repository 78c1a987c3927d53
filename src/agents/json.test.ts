import { describe, expect, test } from 'vitest'
import { countOf, dig, dollarsOf, parseObject, shareOf, timeOf, timeOfSeconds } from './json.ts'

describe("values of an agent's JSON", () => {
  test('are found where they are, and nowhere else', () => {
    expect(dig({ a: { b: 1 } }, 'a', 'b')).toBe(1)
    expect(dig({ a: { b: 1 } })).toEqual({ a: { b: 1 } })
    for (const value of [undefined, null, 7, 'text', [], {}, { a: null }, { a: [1] }])
      expect(dig(value, 'a', 'length')).toBeUndefined()
    expect(dig({}, 'toString')).toBeUndefined()
  })

  test.each<[(value: unknown) => unknown, unknown, unknown]>([
    [countOf, 7.6, 8],
    [countOf, -1, 0],
    [countOf, Infinity, 0],
    [countOf, '7', 0],
    [countOf, 1e300, 1e12],
    [dollarsOf, 0.25, 0.25],
    [dollarsOf, Number.NaN, 0],
    [dollarsOf, 1e9, 1e6],
    [shareOf, 0.5, 0.5],
    [shareOf, 7, 1],
    [shareOf, -1, null],
    [shareOf, null, null],
    [timeOf, '2026-11-15T23:23:30+01:00', '2026-11-15T22:23:30.000Z'],
    [timeOf, 'soon', null],
    [timeOf, 7, null],
    [timeOfSeconds, 1_794_785_400, '2026-11-15T23:30:00.000Z'],
    [timeOfSeconds, 1_794_785_400_000, null],
    [timeOfSeconds, '1794785400', null],
    [timeOfSeconds, 0, null],
  ])('%o of %o is %o', (read, value, expected) => {
    expect(read(value)).toBe(expected)
  })

  test('are read from text only when that is an object', () => {
    expect(parseObject('{"a":1}')).toEqual({ a: 1 })
    for (const text of [null, '', '[]', '1', '{', 'null']) expect(parseObject(text)).toBeNull()
  })
})
