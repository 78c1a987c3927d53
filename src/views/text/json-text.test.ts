import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'

const hostile = 'a\u0000\u001B[2J\u007F\u0085\u009B31m\u202Eb\u200B\u2028\u{E0041}\uD800é😀\n'

test('terminal controls are written as escapes', () => {
  expect(jsonText([hostile])).toMatch(/^[\u0020-\u007E\u00A0-\u{1FFFF}]+$/u)
  expect(jsonText([hostile])).not.toMatch(/[\u007F-\u009F\u202E\u200B\u2028\u{E0041}]/u)
  expect(jsonText({ text: 'é😀' }, 2)).toBe('{\n  "text": "é😀"\n}')
})

test('a parser reads the same value', () => {
  expect(JSON.parse(jsonText([hostile]))).toEqual([hostile])
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect(JSON.parse(jsonText(texts))).toEqual(texts)
    }),
  )
})
