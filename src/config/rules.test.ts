import { describe, expect, test } from 'vitest'
import type { Config } from '../model/config.ts'
import type { ErrorCode } from '../model/error.ts'
import { loadConfig } from './layers.ts'

/** Passes keys as flags, so that no file is needed. */
const load = (flags: Record<string, unknown>): Config =>
  loadConfig({ root: null, home: '/nowhere', env: {}, flags }).config

const refusal = (code: ErrorCode, message: string): unknown =>
  expect.objectContaining({ code, message: expect.stringContaining(`: ${message}`) })

describe('rules between keys', () => {
  test.each<[Record<string, unknown>, string]>([
    [
      {
        checks: [
          { name: 'x', run: 'a' },
          { name: 'x', run: 'b' },
        ],
      },
      '"checks" has two entries named "x"',
    ],
    [{ agents: { mine: { command: [' '] } } }, 'the "command" of "agents.mine" must begin with a program'],
    [{ agents: { mine: { model: 'm' } } }, '"agents.mine" needs a "command", like ["my-agent"]'],
    [
      { agents: { clade: {} } },
      '"agents.clade" needs a "command", like ["my-agent"], or a "type" (did you mean "claude"?)',
    ],
    [{ agents: { mine: { command: ['x'], script: 'y' } } }, '"agents.mine" has both "command" and "script"'],
    [
      { workspace: { mode: 'in-place' }, parallel: 2 },
      '"parallel" must be 1 when "workspace.mode" is "in-place", not 2',
    ],
    [{ schedule: 'round-robin' }, '"schedule" "round-robin" needs agents in "rotation"'],
    [
      { thresholds: { approve: 40, revise: 45 } },
      '"thresholds.revise" (45) must not be above "thresholds.approve" (40)',
    ],
  ])('refuse %j', (flags, message) => {
    expect(() => load(flags)).toThrow(refusal('CONFIG_INVALID', message))
  })

  test.each<[Record<string, unknown>, string]>([
    [{ agent: 'claud' }, '"agent" names an unknown agent, "claud" (did you mean "claude"?)'],
    [{ agent: 'constructor' }, '"agent" names an unknown agent, "constructor"'],
    [
      { roles: { coder: { agent: 'min' } }, agents: { mine: { command: ['x'] } } },
      '"roles.coder.agent" names an unknown agent, "min" (did you mean "mine"?)',
    ],
    [{ rotation: ['claude', 'x'] }, '"rotation" names an unknown agent, "x"'],
    [
      { agents: { 'a.b': { command: ['x'], fallback: ['codx'] } } },
      '"agents.a.b.fallback" names an unknown agent, "codx" (did you mean "codex"?)',
    ],
  ])('find that %j names an agent that is not there', (flags, message) => {
    expect(() => load(flags)).toThrow(refusal('CONFIG_UNKNOWN_AGENT', message))
  })
})

describe('fallbacks that lead nowhere', () => {
  test.each<[string, string[], string[]]>([
    ['mine', ['codex', 'claude'], []],
    ['mine', ['codex', 'mine'], ['--agents: "agents.mine.fallback" names the agent itself, which changes nothing']],
    [
      'mine',
      ['codex', 'claude', 'codex', 'codex'],
      ['--agents: "agents.mine.fallback" names "codex" more than once, which changes nothing'],
    ],
    [
      'claude',
      ['claude', 'claude'],
      ['--agents: "agents.claude.fallback" names the agent itself, which changes nothing'],
    ],
  ])('of %s, %j, are warned of', (name, fallback, expected) => {
    const agents = { [name]: { ...(name === 'mine' ? { command: ['x'] } : {}), fallback } }
    expect(loadConfig({ root: null, home: '/nowhere', env: {}, flags: { agents } }).warnings).toEqual(expected)
  })
})

describe('settings that depend on others', () => {
  test('in place, parallel is 1 and nothing is committed, unless set', () => {
    expect(load({ workspace: { mode: 'in-place' } })).toMatchObject({ parallel: 1, workspace: { commit: false } })
    expect(load({ workspace: { mode: 'in-place', commit: true }, parallel: 1 })).toMatchObject({
      workspace: { commit: true },
    })
    expect(load({ workspace: { commit: false } })).toMatchObject({ parallel: 4, workspace: { commit: false } })
  })

  test('a lower threshold for approval takes the one for revision along', () => {
    expect(load({ thresholds: { approve: 40 } }).thresholds).toMatchObject({ approve: 40, revise: 40 })
  })

  test('gives plain checks short and unique names', () => {
    const long = `npm run ${'x'.repeat(60)}`
    const { checks } = load({ checks: ['npm test', ' npm  test ', { name: 'npm test', run: 'y' }, long] })
    expect(checks?.map(({ name }) => name)).toEqual([
      'npm test (2)',
      'npm test (3)',
      'npm test',
      `${long.slice(0, 39)}…`,
    ])
    expect(checks?.map(({ run }) => run)).toEqual(['npm test', 'npm  test', 'y', long])
  })

  test('leaves built-in agents alone', () => {
    expect(load({ agent: 'claude', agents: { codex: { model: 'm', fallback: ['claude'] } } }).agents).toEqual({
      codex: { model: 'm', fallback: ['claude'] },
    })
  })
})
