/** Thousands of worlds in which everything goes wrong: no law may break in any. The other half is in more-worlds.test.ts. */
import { expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'

test('no law breaks in worlds 1 to 2,100 (A2, A3, A5)', { timeout: 300_000 }, async () => {
  expect(await brokenBetween(1, 2_100)).toEqual([])
})
