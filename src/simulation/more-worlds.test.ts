/** The second half of the worlds, in a file of its own so that it runs on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1,501 to 3,000', { timeout: 600_000 }, async () => {
  expect(await brokenBetween(1_501, 3_000)).toEqual([])
})
