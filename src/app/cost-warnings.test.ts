import { expect, test } from 'vitest'
import { baseConfig } from '../../test/kit/play.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import { costWarnings } from './cost-warnings.ts'

const acp = { acp: ['x', '--acp'] }
const price = { input: 1, output: 2 }

test.each<[string, AgentConfig, string[]]>([
  ['claude', {}, []],
  ['claude', { model: 'anything' }, []],
  ['mine', { command: ['x'] }, []],
  ['demo', { script: 'x.yaml' }, []],
  [
    'codex',
    {},
    [
      'what codex costs can be told only of a model that is named: set agents.codex.model, or the limit on money cannot hold',
    ],
  ],
  ['codex', { model: 'gpt-5' }, []],
  [
    'codex',
    { model: 'gpt-5', tiers: ['new'] },
    ['no price of new is known: add it to agents.codex.prices, or the limit on money cannot hold'],
  ],
  ['codex', { model: 'new', prices: { new: price } }, []],
  ['codex', { model: 'new', billing: 'subscription' }, []],
  ['gemini', { model: 'gemini-2.5-pro' }, []],
  ['opencode', {}, []],
  ['opencode', { model: 'anthropic/claude-sonnet-5' }, []],
  [
    'opencode',
    { model: 'lab/own' },
    [
      'opencode takes lab/own for free if it does not know its price: add it to agents.opencode.prices, or the limit on money may not hold',
    ],
  ],
  ['opencode', { model: 'lab/own', prices: { 'lab/own': price } }, []],
  ['zed', acp, ['zed need not tell what it consumes: limits on money and tokens may not hold']],
  ['zed', { ...acp, billing: 'subscription' }, []],
  ['nobody', {}, []],
])('%s with %o', (name, agent, warnings) => {
  const config: Config = baseConfig({ agents: { [name]: agent } })
  expect(costWarnings(config, [name])).toEqual(warnings)
  expect(costWarnings({ ...config, limits: { ...config.limits, costUsd: null } }, [name])).toEqual([])
})

test('the models of roles count, too', () => {
  const config = baseConfig({
    agent: 'codex',
    agents: { codex: { model: 'gpt-5' } },
    roles: { coder: { model: 'new' }, tester: { agent: 'claude', model: 'old' } },
  })
  expect(costWarnings(config, ['codex', 'claude'])).toEqual([expect.stringContaining('no price of new is known')])
})
