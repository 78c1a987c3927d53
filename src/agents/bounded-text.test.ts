import { expect, test } from 'vitest'
import { boundedText } from './bounded-text.ts'

test('secrets and control characters are gone, lines stay', () => {
  expect(
    boundedText('\u001B[31mred\u001B[0m\u0007 key\r\nnext\u0000\u202E', (text) => text.replace('key', '[KEY]')),
  ).toBe('red [KEY]\nnext')
})

test('of long text the end is kept, no character cut in two', () => {
  expect(boundedText('x'.repeat(5_000))).toHaveLength(2_000)
  expect(boundedText(`${'x'.repeat(50)}end`, undefined, 10)).toBe('…xxxxxxend')
  expect(boundedText('😀😀😀', undefined, 4)).toBe('…😀')
})
