import { describe, expect, test } from 'vitest'
import { levels, type LevelName } from '../../bench/world/levels.ts'
import { runOurs } from '../../bench/world/ours.ts'
import { policies, score, type PolicyName } from '../../bench/world/play.ts'
import { createWorld } from '../../bench/world/world.ts'

const seeds = (count: number, first = 1): number[] => Array.from({ length: count }, (_, at) => first + at)
const presets = (Object.keys(policies) as PolicyName[]).filter(
  (name) => !name.startsWith('Looper') || name === 'Looper-Go',
)

test.each<LevelName>(['calm', 'usual', 'rough'])(
  'in %s worlds Looper never says "done" where it is not, and reaches most goals',
  (level) => {
    const ours = score(level, 'Looper', seeds(30, 5_000))
    expect(ours.falseDone).toBe(0)
    for (const preset of presets)
      expect(ours.reached, preset).toBeGreaterThan(score(level, preset, seeds(30, 5_000)).reached)
  },
)

test('every run of Looper in such a world ends or rests with a reason, within its turns', () => {
  for (const seed of seeds(12)) {
    const world = createWorld(seed, levels.rough)
    const { state, turns } = runOurs(world)
    expect(['completed', 'failed', 'paused']).toContain(state.status)
    expect(state.status === 'completed' || state.reason !== null).toBe(true)
    expect(turns).toBeLessThanOrEqual(world.budget)
  }
})

describe('a world', () => {
  test('is the same each time: for Looper to the last event, for the others to the last turn', () => {
    const events = () => runOurs(createWorld(7, levels.rough), 'two', true).events
    expect(events()).toEqual(events())
    for (const preset of presets) expect(score('usual', preset, seeds(10))).toEqual(score('usual', preset, seeds(10)))
  })

  test('distinguishes a goal that is reached from one that is only said to be', () => {
    const [believing, verifying] = [
      score('usual', 'Loop Agents', seeds(30)),
      score('usual', 'Claude Looper', seeds(30)),
    ]
    expect(believing.falseDone).toBeGreaterThan(verifying.falseDone)
    expect(believing.saysDone).toBe(1)
  })

  test('ends a preset that has no turn left', () => {
    for (const seed of seeds(10)) {
      const world = createWorld(seed, levels.rough)
      for (const preset of presets)
        expect(policies[preset](createWorld(seed, levels.rough)).turns).toBeLessThanOrEqual(world.budget)
    }
  })
})
