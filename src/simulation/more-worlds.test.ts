/** The second half of the worlds, beside the first on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1,501 to 3,000', { timeout: 600_000 }, async () => {
  expect(await brokenBetween(1_501, 3_000)).toEqual([])
})
