import { describe, expect, test } from 'vitest'
import { keys, openKeys } from './keys.ts'
import type { Key } from './keys.ts'
import { loadConfig } from './layers.ts'
import type { LoadedConfig } from './layers.ts'
import type { Spec } from '../schema/shape.ts'

const load = (env: Record<string, string>, flags: Record<string, unknown> = {}): LoadedConfig =>
  loadConfig({ root: null, home: '/nowhere', env, flags })

/**
 * A value that is valid, is not the default, and satisfies the rules across keys; as JSON where it is not a plain word.
 */
function sample({ name, field, spec }: Pick<Key, 'name' | 'field' | 'spec'>): unknown {
  const chosen: Record<string, unknown> = {
    agents: { claude: { model: 'opus' } },
    'agents.*': { model: 'opus' },
    'agents.*.env.*': 'a value',
    'agents.*.type': 'claude',
    'workspace.env.*': 'a value',
  }
  if (name in chosen) return chosen[name]
  if (field !== null && field.examples.length > 0) return field.examples[0]
  return sampleOf(spec, field?.default)
}

function sampleOf(spec: Spec, not: unknown): unknown {
  switch (spec.kind) {
    case 'nullable':
      return sampleOf(spec.of, not)
    case 'boolean':
      return not !== true
    case 'choice':
      return spec.of.findLast((each) => each !== not)
    case 'number':
      return spec.min + 2
    case 'object':
      return Object.fromEntries(
        Object.entries(spec.fields).map(([name, field]) => [name, sample({ name, field, spec: field.spec })]),
      )
    default:
      throw new Error(`there is no example of ${JSON.stringify(spec)}`)
  }
}

const chosenNames: Record<string, string> = { agents: 'claude', prices: 'my-model', env: 'MY_VARIABLE' }
const concrete = ({ path }: Key): string[] =>
  path.map((part, index) => (part === '*' ? (chosenNames[path[index - 1] ?? ''] ?? '') : part))
const variableOf = (key: Key): string =>
  concrete(key).reduce(
    (env, name, index) => (key.path[index] === '*' ? env.replace('*', name.toUpperCase().replace('-', '_')) : env),
    key.env,
  )
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)

/** Settings that the rules across keys require besides. */
const company: Record<string, Record<string, unknown>> = {
  schedule: { rotation: ['claude'] },
  'workspace.mode': { parallel: 1 },
  workspace: { parallel: 1 },
  'agents.*.type': { agents: { claude: { bin: 'x' } } },
  'agents.*.prices.*.input': { agents: { claude: { prices: { 'my-model': { input: 1, output: 2 } } } } },
  'agents.*.prices.*.output': { agents: { claude: { prices: { 'my-model': { input: 1, output: 2 } } } } },
  'agents.*.prices.*.cachedInput': { agents: { claude: { prices: { 'my-model': { input: 1, output: 2 } } } } },
}

describe('variables', () => {
  test.each([...keys, ...openKeys].map((key) => [key.name, key] as const))(
    'D6: %s has one that is read and reported',
    (name, key) => {
      const value = sample(key)
      const variable = variableOf(key)
      const more = Object.fromEntries(
        Object.entries(company[name] ?? {}).map(([other, wanted]) => [
          `LOOPER_${other.toUpperCase()}`,
          JSON.stringify(wanted),
        ]),
      )
      const { config, sources, warnings } = load({
        ...more,
        [variable]: typeof value === 'string' ? value : JSON.stringify(value),
      })
      expect(warnings).toEqual([])
      const found = at(config, concrete(key))
      if (name === 'checks') expect(found).toMatchObject([{ run: 'npm test' }])
      else if (typeof value === 'object' && value !== null && !Array.isArray(value)) expect(found).toMatchObject(value)
      else expect(found).toEqual(value)
      const told = Object.entries(sources)
        .filter(([, { source }]) => source === `env ${variable}`)
        .map(([dotted]) => dotted)
      expect(told.length).toBeGreaterThan(0)
      for (const dotted of told) expect(`${dotted}.`).toContain(`${concrete(key).join('.')}.`)
    },
  )

  test('D6: no variable means two keys, or speaks to agents', () => {
    const variables = [...keys, ...openKeys].map(variableOf)
    expect(variables.filter((name, index) => variables.indexOf(name) !== index)).toEqual([])
    expect(
      variables.filter((name) =>
        /^LOOPER_(?:RUN|TASK|ROLE|PURPOSE|TURN|ATTEMPT|RESULT_FILE|RESULT_SCHEMA|INSIDE|MARK|MODEL|SESSION|STAGE)$/.test(
          name,
        ),
      ),
    ).toEqual([])
  })

  test.each<[string, string, unknown]>([
    ['LOOPER_AGENTS_CLAUDE_MODEL', 'opus', { claude: { model: 'opus' } }],
    ['LOOPER_AGENTS_CLAUDE_ARGS', '--verbose', { claude: { args: ['--verbose'] } }],
    ['LOOPER_AGENTS_CLAUDE_ARGS', '["-a","b,c"]', { claude: { args: ['-a', 'b,c'] } }],
    ['LOOPER_AGENTS_CLAUDE_FALLBACK', 'codex, gemini', { claude: { fallback: ['codex', 'gemini'] } }],
    ['LOOPER_AGENTS_CLAUDE_ENV_MODEL', 'm', { claude: { env: { MODEL: 'm' } } }],
    ['LOOPER_AGENTS_CLAUDE_ENV_http_proxy', 'p', { claude: { env: { http_proxy: 'p' } } }],
    ['LOOPER_AGENTS_CLAUDE_ENV', '{"A":"b"}', { claude: { env: { A: 'b' } } }],
    ['LOOPER_AGENTS_MINE_COMMAND', 'my-agent', { mine: { command: ['my-agent'] } }],
    ['LOOPER_AGENTS_MY_OWN_COMMAND', '["a","b"]', { 'my-own': { command: ['a', 'b'] } }],
    ['LOOPER_AGENTS_MY_OWN', '{"command":["a"]}', { 'my-own': { command: ['a'] } }],
    [
      'LOOPER_AGENTS_CODEX_PRICES_GPT_5',
      '{"input":1,"output":2}',
      { codex: { prices: { 'gpt-5': { input: 1, output: 2 } } } },
    ],
  ])('reads %s=%s', (name, value, agents) => {
    const { config, warnings } = load({ [name]: value })
    expect(config.agents).toEqual(agents)
    expect(warnings).toEqual([])
  })

  test('finds agents by the names they have', () => {
    const agents = JSON.stringify({
      'my.Agent_1': { command: ['x'] },
      'claude-env': { command: ['y'] },
      codex: { prices: { 'gpt-5.2': { input: 1, output: 1 } } },
    })
    const { config } = load({
      LOOPER_AGENTS: agents,
      LOOPER_AGENTS_MY_AGENT_1_MODEL: 'm',
      LOOPER_AGENTS_CLAUDE_ENV_MODEL: 'n',
      LOOPER_AGENTS_CODEX_PRICES_GPT_5_2_OUTPUT: '9',
    })
    expect(config.agents).toEqual({
      'my.Agent_1': { command: ['x'], model: 'm' },
      'claude-env': { command: ['y'], model: 'n' },
      codex: { prices: { 'gpt-5.2': { input: 1, output: 9 } } },
    })
  })

  test('prefers an agent in use to a new one', () => {
    const { config } = load({ LOOPER_AGENTS: '{"my-model":{"command":["x"]}}', LOOPER_AGENTS_MY_MODEL: '{"bin":"y"}' })
    expect(config.agents).toEqual({ 'my-model': { command: ['x'], bin: 'y' } })
  })

  test('lets a key beat the group around it, whatever their order', () => {
    const env = {
      LOOPER_AGENTS_CLAUDE_MODEL: 'c',
      LOOPER_AGENTS_CLAUDE: '{"model":"b","bin":"b"}',
      LOOPER_AGENTS: '{"claude":{"model":"a","bin":"a","args":["a"]}}',
    }
    expect(load(env).config.agents).toEqual({ claude: { model: 'c', bin: 'b', args: ['a'] } })
  })

  test('says of a slip what was meant, and of a wrong value which variable holds it', () => {
    expect(load({ LOOPER_AGENTS_CLAUDE_MODLE: 'opus' }).warnings).toEqual([
      '"LOOPER_AGENTS_CLAUDE_MODLE" is not a variable of Looper\'s (did you mean "LOOPER_AGENTS_CLAUDE_MODEL"?)',
    ])
    expect(load({ [`LOOPER_AGENTS${'_A'.repeat(50_000)}`]: 'x' }).config.agents).toEqual({})
    expect(() => load({ LOOPER_AGENTS_CLAUDE_TIMEOUT_MINUTES: 'long' })).toThrow(
      'LOOPER_AGENTS_CLAUDE_TIMEOUT_MINUTES: "agents.claude.timeoutMinutes" must be',
    )
    expect(() => load({ LOOPER_AGENTS_MINE_MODEL: 'm' })).toThrow(
      'LOOPER_AGENTS_MINE_MODEL: "agents.mine" needs a "command"',
    )
    expect(() => load({ LOOPER_AGENTS_CLAUDE_PRICES_M_INPUT: '1' })).toThrow(
      'LOOPER_AGENTS_CLAUDE_PRICES_M_INPUT: "agents.claude.prices.m.output" is missing',
    )
  })
})
