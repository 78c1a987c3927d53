import fc from 'fast-check'
import { expect, test } from 'vitest'
import { align, columns, cut, pad } from './columns.ts'
import { ansiPaint } from './paint.ts'

test.each([
  ['abc', 3],
  ['漢字', 4],
  ['😀', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['✓ done', 6],
  [ansiPaint.good('ok'), 2],
  ['', 0],
])('%j is %i columns wide', (text, width) => expect(columns(text)).toBe(width))

test.each([
  ['abcdef', 4, 'abc…'],
  ['abcd', 4, 'abcd'],
  ['漢字漢字', 5, '漢字…'],
  ['ab cd', 4, 'ab…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('%j cut to %i is %j', (text, max, shown) => expect(cut(text, max)).toBe(shown))

test('cutting never exceeds the width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, max) => {
      expect(columns(cut(text, max))).toBeLessThanOrEqual(max)
    }),
  )
})

test('columns line up, whatever is painted or wide', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(
    align([
      ['a', 'x'],
      [ansiPaint.bad('bcd'), 'y'],
      ['漢字', ''],
    ]),
  ).toEqual(['a     x', `${ansiPaint.bad('bcd')}   y`, '漢字'])
})
