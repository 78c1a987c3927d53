/** The second half of the worlds, beside the first on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1,051 to 2,100', { timeout: 300_000 }, async () => {
  expect(await brokenBetween(1_051, 2_100)).toEqual([])
})
