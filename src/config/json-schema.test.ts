import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { configJsonSchema } from './json-schema.ts'
import { settingsSpec } from './keys.ts'
import { defaultsLayer } from './merge.ts'
import { findProblem } from './validate.ts'

describe('configJsonSchema', () => {
  it('is what schemas/config.schema.json holds (vitest -u writes it)', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../../schemas/config.schema.json')
  })

  const accepts = (value: unknown): boolean => z.fromJSONSchema(configJsonSchema()).safeParse(value).success

  it.each<unknown>([
    {},
    defaultsLayer().value,
    { agents: { mine: { command: ['python3', 'agent.py'], timeoutMinutes: 30, stallSeconds: 300 } }, agent: 'mine' },
    { roles: { planner: { agent: 'claude', model: 'opus' } } },
    { checks: ['npm test', { name: 'lint', run: 'npm run lint', timeoutMinutes: 0.5 }] },
    { limits: { turns: 0, costUsd: 0.5 }, workspace: { setup: ['npm ci'], copy: ['.env'], commit: true } },
    { paralel: 1 },
    { parallel: 0 },
    { parallel: 1.5 },
    { limits: { turns: -1 } },
    { limits: { timeMinutes: 'x' } },
    { checks: [{ name: 'lint' }] },
    { checks: [''] },
    { schedule: 'both' },
    { roles: { boss: {} } },
    { thresholds: { approve: 101 } },
    { agents: { 'a b': {} } },
    { agents: { mine: { command: [] } } },
    { agents: { mine: { env: { A: 1 } } } },
    { workspace: { copy: ['../x'] } },
    { review: null },
    [],
  ])('agrees with the validation about %j', (value) => {
    expect(accepts(value)).toBe(findProblem(settingsSpec, value) === null)
  })

  it('leaves room for $schema', () => {
    expect(accepts({ $schema: './config.schema.json' })).toBe(true)
  })
})
