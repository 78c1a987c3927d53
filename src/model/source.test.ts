import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { compareIds } from './source.ts'

const id = fc.oneof(
  fc
    .array(fc.constantFrom('T', 't', '-', '.', '0', '1', '2', '10', '007', 'é', ' '), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 6 }),
)

describe('compareIds (D3)', () => {
  test.each([
    [
      ['T10', 'T2', 'T1'],
      ['T1', 'T2', 'T10'],
    ],
    [
      ['T001', 'T01', 'T1', 'T0'],
      ['T0', 'T001', 'T01', 'T1'],
    ],
    [
      ['T1.10', 'T1.2', 'T1', 'T2'],
      ['T1', 'T1.2', 'T1.10', 'T2'],
    ],
    [
      ['b', 'a', ''],
      ['', 'a', 'b'],
    ],
    [
      ['x', '10', '9', '-1'],
      ['-1', '9', '10', 'x'],
    ],
    [
      [`9${'0'.repeat(400)}`, `1${'0'.repeat(401)}`],
      [`9${'0'.repeat(400)}`, `1${'0'.repeat(401)}`],
    ],
  ])('sorts %j', (given, sorted) => {
    expect(given.toSorted(compareIds)).toEqual(sorted)
    expect(given.toReversed().toSorted(compareIds)).toEqual(sorted)
  })

  test('is a total order: equal only to itself, the same from both sides, and transitive', () => {
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b)) + Math.sign(compareIds(b, a))).toBe(0)
        expect(compareIds(a, b) === 0).toBe(a === b)
        if (compareIds(a, b) < 0 && compareIds(b, c) < 0) expect(compareIds(a, c)).toBeLessThan(0)
      }),
      { numRuns: tries(20_000) },
    )
  })

  test('follows the number after any common beginning', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 4 }).filter((text) => !/\d$/.test(text)),
        fc.nat(),
        fc.nat(),
        (start, one, other) => {
          expect(Math.sign(compareIds(`${start}${one}`, `${start}${other}`))).toBe(Math.sign(one - other))
        },
      ),
    )
  })
})
