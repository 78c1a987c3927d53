/** The second half of the worlds, beside the first on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1,601 to 3,200', { timeout: 300_000 }, async () => {
  expect(await brokenBetween(1_601, 3_200)).toEqual([])
})
