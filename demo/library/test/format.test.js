import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format } from '../src/format.js'

const cases = [
  [0, '0ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [90_500, '1m 30s 500ms'],
  [5_400_000, '1h 30m'],
  [90_000_000, '1d 1h'],
  [-60_000, '-1m'],
]

for (const [ms, text] of cases) {
  test(`format(${ms}) is "${text}"`, () => assert.equal(format(ms), text))
}

test('format refuses what is no duration', () => {
  assert.throws(() => format(Number.NaN), RangeError)
})
