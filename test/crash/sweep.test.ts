/**
 * SIGKILL at every kind of moment: after whatever makes something last, and at some of the other steps. `npm test` tries
 * few of them, `npm run test:hostile` more, `npm run test:crash` all.
 */
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { seed } from '../kit/seed.ts'
import { isDense, type Trial } from './small-run.ts'
import { everyLasting, everyMerge, everyStep, killsIn, measure, randomMoments, sweep } from './sweep.ts'

const each = isDense ? 4 : 24
const stride = 6 * each
const randomKills = isDense ? 12 : 2
const timeout = 1_800_000
const some = <T>(list: readonly T[], nth: number): T[] => list.filter((_, index) => index % nth === seed % nth)

async function expectSurvival(trials: readonly Trial[]): Promise<void> {
  const found = await sweep(trials, availableParallelism())
  expect(found.filter(({ problems }) => problems.length > 0)).toEqual([])
  // A few come too late: no two runs take exactly the same steps.
  expect(killsIn(found)).toBeGreaterThan(0.8 * trials.length)
}

test(
  `A9, killed after every ${each}th write, sync, rename and link, at every ${stride}th other moment, and at random (seed ${seed}): gone on with to the same end`,
  { timeout },
  async () => {
    const given = await measure('chain')
    expect(given.steps).toBeGreaterThan(100)
    expect(given.lasting).toBeGreaterThan(60)
    expect(given.divisible).toBeGreaterThan(30)
    await expectSurvival([
      ...some(everyLasting(given), each),
      ...some(everyStep(given), stride),
      ...randomMoments(randomKills, seed, given),
    ])
  },
)

test(
  'A9, killed in merges of tasks that worked side by side: each lands once, checked as it lands',
  { timeout },
  async () => {
    const given = await measure('pair')
    expect(given.checks).toBe(4)
    expect(given.lasting - given.lastingBeforeMerges).toBeGreaterThan(30)
    await expectSurvival([...some(everyMerge(given), each), ...randomMoments(randomKills / 2, seed, given)])
  },
)
