/** The second half of the worlds, in a file of its own so that it runs on another core. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1,051 to 2,100', { timeout: 1_800_000 }, async () => {
  expect(await brokenBetween(1_051, 2_100)).toEqual([])
})
