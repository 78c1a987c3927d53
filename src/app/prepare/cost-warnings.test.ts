import { expect, test } from 'vitest'
import { baseConfig } from '../../../test/kit/play.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
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
      'the cost of codex is unknown without the name of its model: set agents.codex.model, or the cost limit cannot be enforced',
    ],
  ],
  ['codex', { model: 'gpt-5' }, []],
  [
    'codex',
    { model: 'gpt-5', tiers: ['new'] },
    ['the price of new is unknown: add it to agents.codex.prices, or the cost limit cannot be enforced'],
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
      'opencode counts lab/own as free if it does not know its price: add it to agents.opencode.prices, or the cost limit may not be enforced',
    ],
  ],
  ['opencode', { model: 'lab/own', prices: { 'lab/own': price } }, []],
  ['zed', acp, ['zed may not report its usage: cost and token limits may not be enforced']],
  ['zed', { ...acp, billing: 'subscription' }, []],
  ['no agent', {}, []],
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
  expect(costWarnings(config, ['codex', 'claude'])).toEqual([expect.stringContaining('the price of new is unknown')])
})
