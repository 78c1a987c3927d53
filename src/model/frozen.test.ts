import { expect, test } from 'vitest'
import { frozen } from './frozen.ts'

test('nothing in a frozen value can be changed', () => {
  const value = frozen({ list: [{ name: 'a' }], none: null })
  expect(() => (value.list[0]!.name = 'b')).toThrow(TypeError)
  expect(() => value.list.push({ name: 'b' })).toThrow(TypeError)
  expect(value).toEqual({ list: [{ name: 'a' }], none: null })
})
