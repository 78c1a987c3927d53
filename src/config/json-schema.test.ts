import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { configJsonSchema } from './json-schema.ts'
import { keys, settingsSpec } from './keys.ts'
import { defaultsLayer } from './merge.ts'
import { findProblem } from './validate.ts'

describe('configJsonSchema', () => {
  test('is what schemas/config.schema.json holds (vitest -u writes it)', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../schemas/config.schema.json',
    )
  })

  const accepts = (value: unknown): boolean => z.fromJSONSchema(configJsonSchema()).safeParse(value).success

  test.each<unknown>([
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
    { checks: [' '] },
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

  test('D6: describes for editors what each key is for, its default and its values', () => {
    type Node = {
      description?: string
      properties?: Record<string, Node>
      additionalProperties?: Node | false
      anyOf?: Node[]
      items?: Node
    } & Record<string, unknown>
    const within = (
      name: string,
      { properties = {}, additionalProperties = false, anyOf = [], items }: Node,
    ): [string, Node][] => [
      ...Object.entries(properties).flatMap(([key, node]): [string, Node][] => [
        [`${name}${key}`, node],
        ...within(`${name}${key}.`, node),
      ]),
      ...[additionalProperties === false ? [] : additionalProperties, anyOf, items ?? []]
        .flat()
        .flatMap((node) => within(`${name}*.`, node)),
    ]
    const schema = configJsonSchema()
    const nodes = [
      ...within('', schema),
      ...within('$defs.', { properties: schema.$defs as Record<string, Node> }),
    ].filter(([name]) => !/^\$defs\.\w+$/.test(name))
    expect(nodes.length).toBeGreaterThan(70)
    for (const [name, node] of nodes) {
      expect(node.description, name).toMatch(/^[A-Z].+\.$/)
      const few =
        node.enum !== undefined || node.type === 'boolean' || JSON.stringify(node.anyOf ?? []).includes('boolean')
      if (
        node.properties === undefined
        && !/^(?:\$schema|race\.\w+)$/.test(name)
        && node.$ref === undefined
        && node.deprecated !== true
        && !few
      )
        expect(node, name).toHaveProperty('examples')
    }
    for (const { name, field } of keys)
      if (field?.presence === 'defaulted' && field.spec.kind !== 'object')
        expect(Object.fromEntries(nodes)[name], name).toHaveProperty('default')
  })

  test('accepts names of other tools, and proposes none', () => {
    expect(
      accepts({
        max_iterations: 5,
        hooks: { post_iteration: ['x'] },
        roles: { iter: 'codex' },
        codex: { binary: 'x' },
        agents: { mine: { binary: 'x' } },
      }),
    ).toBe(true)
    expect(accepts({ codex: { binari: 'x' } })).toBe(false)
    const { properties } = configJsonSchema() as { properties: Record<string, unknown> }
    expect(properties.max_iterations).toEqual({
      description: 'The name that looper-go has for "limits.iterations".',
      deprecated: true,
      doNotSuggest: true,
    })
  })

  test('leaves room for $schema', () => {
    expect(accepts({ $schema: './config.schema.json' })).toBe(true)
  })
})
