import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { failingText } from './failing-tests.ts'

test.each([
  [[], ''],
  [['rounds', 'halves'], 'rounds, halves'],
  [['a.js › rounds', 'a.js › halves', 'b.js › rounds'], 'a.js › rounds, halves, b.js › rounds'],
  [['a.js › suite › rounds', 'a.js › suite › halves'], 'a.js › suite › rounds, suite › halves'],
])('%j is listed with each file once', (names, text) => {
  expect(failingText(names, sampleState())).toBe(text)
})
