import assert from 'node:assert/strict'
import { test } from 'node:test'
import { units } from '../src/units.js'

test('units go from the longest to the shortest', () => {
  const lengths = Object.values(units)
  assert.deepEqual(lengths, lengths.toSorted((a, b) => b - a))
})
