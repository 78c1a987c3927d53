/** The second half of the worlds, beside the first on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 2,101 to 4,200', { timeout: 300_000 }, async () => {
  expect(await brokenBetween(2_101, 4_200)).toEqual([])
})
