/**
 * Thousands of worlds with faults of every kind: no law may break in any of them. In every second world, work does not
 * converge by itself. The other half is in more-worlds.test.ts.
 */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test(
  'no law breaks in worlds 1 to 1,500 (A2, A3, A5, E6, E7, E8, F12, F13, F14, F15, F16)',
  { timeout: 600_000 },
  async () => {
    expect(await brokenBetween(1, 1_500)).toEqual([])
  },
)
