import { expect, test } from 'vitest'
import { readJson } from './json-text.ts'

test.each([
  ['{"a": [1]}', { ok: true, value: { a: [1] } }],
  ['\uFEFF[1]', { ok: true, value: [1] }],
  ['{"a":1,"a":2}', { ok: true, value: { a: 2 } }],
  ['', { ok: false, line: 1, column: 1, why: 'expected a value, found end of file' }],
  ['{\n  "a": 1\n  "b": 2\n}', { ok: false, line: 3, column: 3, why: 'expected "," or "}", found "\\""' }],
  ['[1]]', { ok: false, line: 1, column: 4, why: 'unexpected "]" after the end' }],
])('%j', (text, parsed) => {
  expect(readJson(text)).toEqual(parsed)
})

test('depth and length are no attack', () => {
  expect(readJson(`${'['.repeat(2_000_000)}x`)).toMatchObject({ ok: false, why: 'more than 100 levels deep' })
  expect(readJson(`["${'a'.repeat(20_000_000)}`)).toMatchObject({ ok: false, line: 1 })
})
