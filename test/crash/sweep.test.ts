/** SIGKILL at every kind of moment: here at some of a run's steps, `npm run test:crash` does them all. */
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { seed } from '../kit/seed.ts'
import { everyStep, killsIn, measure, randomMoments, sweep } from './sweep.ts'

const stride = 4
const randomKills = 40

test(`A9, killed at every ${stride}th step from ${seed % stride} on, and at random moments (seed ${seed}): every run is gone on with to the same end`, { timeout: 1_800_000 }, async () => {
  const given = await measure()
  expect(given.steps).toBeGreaterThan(100)
  expect(given.divisible).toBeGreaterThan(30)
  const trials = [...everyStep(given).filter((_, place) => place % stride === seed % stride), ...randomMoments(randomKills, seed, given)]
  const found = await sweep(trials, availableParallelism())
  expect(found.filter(({ problems }) => problems.length > 0)).toEqual([])
  // A few come too late: no two runs take exactly the same steps.
  expect(killsIn(found)).toBeGreaterThan(0.8 * trials.length)
})
