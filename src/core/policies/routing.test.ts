import { describe, expect, test } from 'vitest'
import { baseConfig } from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import { chain, route } from './routing.ts'

const agents = {
  a: { command: ['a'], model: 'm1', fallback: ['b', 'c'] },
  b: { command: ['b'], tiers: ['cheap', 'strong'] },
  c: { command: ['c'] },
}

describe('A1: the agent of a turn', () => {
  test('the default agent and its model, unless the role has its own', () => {
    const config = baseConfig({ agents, roles: { planner: { agent: 'b', model: 'big' }, tester: { model: 'small' } } })
    expect(route(config, 'coder', 1, 1)).toEqual({ agent: 'a', model: 'm1' })
    expect(route(config, 'planner', 1, 1)).toEqual({ agent: 'b', model: 'big' })
    expect(route(config, 'tester', 1, 1)).toEqual({ agent: 'a', model: 'small' })
  })

  test('tiers climb with each attempt and stay at the top', () => {
    const config = baseConfig({ agents, agent: 'b' })
    expect([1, 2, 3].map((attempt) => route(config, 'coder', 1, attempt).model)).toEqual(['cheap', 'strong', 'strong'])
  })

  test.each([
    ['single', ['a', 'a', 'a', 'a']],
    ['odd-even', ['b', 'c', 'b', 'c']],
    ['round-robin', ['b', 'c', 'a', 'b']],
  ] as const)('schedule %s', (schedule, expected) => {
    const config = baseConfig({ agents, schedule, rotation: ['b', 'c', 'a'] })
    expect([1, 2, 3, 4].map((turn) => route(config, 'coder', turn, 1).agent)).toEqual(expected)
  })

  const takers = (config: RunConfig, attempt = 1) => chain(config, { agent: 'a', model: 'm1' }, attempt)

  test('fallbacks are used in their order when enabled', () => {
    expect(takers(baseConfig({ agents, onUsageLimit: 'fallback' })).map(({ agent }) => agent)).toEqual(['a', 'b', 'c'])
    expect(takers(baseConfig({ agents }))).toEqual([{ agent: 'a', model: 'm1' }])
  })

  test('a fallback climbs its own tiers', () => {
    const config = baseConfig({ agents, onUsageLimit: 'fallback' })
    expect([1, 2, 3].map((attempt) => takers(config, attempt)[1]?.model)).toEqual(['cheap', 'strong', 'strong'])
  })

  test.each([[['a']], [['b', 'b']], [['b', 'a']], [['b', 'a', 'c', 'b']]])(
    'a chain that names an agent twice, %j, still ends',
    (names) => {
      const config = baseConfig({
        agents: { ...agents, a: { command: ['a'], fallback: names } },
        onUsageLimit: 'fallback',
      })
      expect(takers(config).map(({ agent }) => agent)).toEqual([...new Set(['a', ...names])])
    },
  )
})
