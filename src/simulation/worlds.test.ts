/**
 * Thousands of worlds with faults of every kind: no law may break in any of them. In every second world, work does not
 * converge by itself. The other half is in more-worlds.test.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { brokenBetween } from '../../test/kit/broken-between.ts'
import { moments, type Moment } from './scenario.ts'
import { isPartOf } from './user-orders.ts'

describe('worlds 1 to 1,050', () => {
  const struck = new Set<Moment>()
  const happened = new Set<string>()
  let broken: string[]

  beforeAll(async () => {
    broken = await brokenBetween(1, 1_050, ({ scenario, steps, history }, seed) => {
      const isAll = struck.size === moments.length && happened.size >= 8
      if (isAll || seed % 2 === 1 || !scenario.faults.some(({ during }) => during !== undefined)) return
      for (const step of steps)
        if (step.kind === 'fault' && step.fault.kind === 'crash' && step.fault.during) struck.add(step.fault.during)
      for (const event of history) {
        if (event.type === 'rolled.back' && event.why !== 'REGRESSING') happened.add(`rolled back: ${event.why}`)
        if (event.type === 'task.undone') happened.add(`undone: ${event.why}`)
        if (event.type === 'race.decided' || event.type === 'proof.given') happened.add(event.type)
        if (event.type === 'work.started' && isPartOf(event.work, 'resolve')) happened.add('a conflict is resolved')
      }
    })
  }, 1_800_000)

  test('no law breaks (A2, A3, A5, E6, E7, E8, F12, F13, F14, F15, F16)', () => {
    expect(broken).toEqual([])
  })

  test('crashes strike in the middle of everything that only worlds do in which work does not converge', () => {
    expect([...struck].toSorted()).toEqual([...moments].toSorted())
    expect([...happened].toSorted()).toEqual([
      'a conflict is resolved',
      'proof.given',
      'race.decided',
      'rolled back: FLIP-FLOPPING',
      'rolled back: culprit',
      'rolled back: person',
      'undone: culprit',
      'undone: review',
    ])
  })
})
