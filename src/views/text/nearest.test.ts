import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

describe('nearest', () => {
  const commands = ['run', 'resume', 'runs', 'status', 'report', 'parallel', 'checksParallel', 'timeMinutes']

  test.each([
    ['paralel', 'parallel'],
    ['PARALLEL', 'parallel'],
    ['checks_parallel', 'checksParallel'],
    ['time', 'timeMinutes'],
    ['maxParallel', 'parallel'],
    ['statsu', 'status'],
    ['rsume', 'resume'],
    ['rnu', 'run'],
    ['zebra', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ])('of %s is %s', (name, expected) => {
    expect(nearest(name, commands)).toBe(expected)
  })

  test('always finds a name that is there', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1 }), fc.nat(), (names, pick) => {
        const name = names[pick % names.length]!
        expect(nearest(name, names)).toBe(name)
      }),
    )
  })
})

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['a', '', 1],
    ['', 'abc', 3],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('of %j and %j is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  test('is symmetric, and zero only for equal names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b) === 0).toBe(a === b)
      }),
    )
  })
})
