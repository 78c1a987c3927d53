import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { LooperError } from '../model/error.ts'
import { keys } from './keys.ts'
import { loadConfig } from './layers.ts'
import type { LoadedConfig } from './layers.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const projectFile = (): string => join(folder, 'project', '.looper', 'config.json')
const userFile = (): string => join(folder, 'home', '.config', 'looper', 'config.json')
const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}
const load = (given: { env?: Record<string, string>; flags?: Record<string, unknown> } = {}): LoadedConfig =>
  loadConfig({ root: join(folder, 'project'), home: join(folder, 'home'), env: {}, ...given })
const loadProject = (content: unknown): LoadedConfig => {
  write(projectFile(), content)
  return load()
}
const errorOf = (action: () => unknown): LooperError => {
  try {
    action()
  } catch (error) {
    if (error instanceof LooperError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('loadConfig', () => {
  test('A10: works without any file', () => {
    const { config, sources, warnings } = load()
    expect(config).toMatchObject({
      workflow: 'supervised',
      agent: null,
      parallel: 4,
      checks: null,
      checksParallel: availableParallelism(),
    })
    expect(config.workspace).toEqual({
      mode: 'worktree',
      setup: null,
      copy: [],
      commit: true,
      hooks: 'skip',
      folder: null,
      cacheMb: 4096,
    })
    expect(sources['parallel']).toEqual({ value: 4, source: 'default' })
    expect(sources['checksParallel']).toEqual({ value: availableParallelism(), source: 'default' })
    expect(warnings).toEqual([])
    expect(loadConfig({ root: null, home: folder, env: {} }).config).toEqual(config)
  })

  test('D6: lays defaults, user, project, environment and flags over each other and reports the source of each value', () => {
    write(userFile(), {
      parallel: 2,
      review: false,
      limits: { turns: 5, tokens: 9 },
      agents: { mine: { command: ['a'], model: 'm' } },
    })
    write(projectFile(), {
      parallel: 3,
      limits: { turns: 6 },
      sessions: 'resume',
      agents: { mine: { model: 'n' } },
      agent: 'mine',
    })
    const { config, sources } = load({
      env: { LOOPER_PARALLEL: '5', LOOPER_LIMITS_COST_USD: 'none', LOOPER_SCHEDULE: 'single' },
      flags: { parallel: '6', 'limits.iterations': undefined },
    })
    expect(config.parallel).toBe(6)
    expect(config.limits).toMatchObject({ turns: 6, tokens: 9, costUsd: null, iterations: 50 })
    expect(config.agents).toEqual({ mine: { command: ['a'], model: 'n' } })
    const user = 'user (~/.config/looper/config.json)'
    const project = 'project (.looper/config.json)'
    expect(sources).toMatchObject({
      parallel: { value: 6, source: 'flag --parallel' },
      review: { value: false, source: user },
      sessions: { value: 'resume', source: project },
      schedule: { value: 'single', source: 'env LOOPER_SCHEDULE' },
      'limits.turns': { value: 6, source: project },
      'limits.tokens': { value: 9, source: user },
      'limits.costUsd': { value: null, source: 'env LOOPER_LIMITS_COST_USD' },
      'limits.iterations': { value: 50, source: 'default' },
      'agents.mine.command': { value: ['a'], source: user },
      'agents.mine.model': { value: 'n', source: project },
    })
    expect(Object.keys(sources)).not.toContain('limits')
  })

  test('replaces lists instead of merging them', () => {
    write(userFile(), { secrets: ['A', 'B'], checks: ['x'] })
    expect(loadProject({ secrets: ['C'], checks: [] }).config).toMatchObject({ secrets: ['C'], checks: [] })
    expect(loadProject({ checks: null }).config.checks).toBeNull()
  })

  test('honors XDG_CONFIG_HOME, unless it is relative', () => {
    write(join(folder, 'xdg', 'looper', 'config.json'), { parallel: 7 })
    expect(load({ env: { XDG_CONFIG_HOME: join(folder, 'xdg') } }).sources['parallel']).toEqual({
      value: 7,
      source: `user (${join(folder, 'xdg', 'looper', 'config.json')})`,
    })
    write(userFile(), { parallel: 8 })
    expect(load({ env: { XDG_CONFIG_HOME: 'xdg' } }).config.parallel).toBe(8)
  })

  test.each<[string, string, unknown]>([
    ['LOOPER_AGENT', 'claude', { agent: 'claude' }],
    ['LOOPER_AGENT', 'null', { agent: null }],
    ['LOOPER_ROTATION', 'claude, codex,', { rotation: ['claude', 'codex'] }],
    ['LOOPER_ROTATION', '["gemini"]', { rotation: ['gemini'] }],
    ['LOOPER_CHECKS', 'node -e "f(a, b)"', { checks: [{ name: 'node -e "f(a, b)"', run: 'node -e "f(a, b)"' }] }],
    ['LOOPER_CHECKS', '[]', { checks: [] }],
    ['LOOPER_CHECKS', '[{"name":"t","run":"npm test"}]', { checks: [{ name: 't', run: 'npm test' }] }],
    ['LOOPER_REVIEW', 'no', { review: false }],
    ['LOOPER_REVIEW', '1', { review: true }],
    ['LOOPER_LIMITS_TURNS', '0', { limits: { turns: 0, timeMinutes: 120 } }],
    ['LOOPER_LIMITS_TIME_MINUTES', '0.5', { limits: { timeMinutes: 0.5 } }],
    ['LOOPER_LIMITS', '{"turns":3}', { limits: { turns: 3, timeMinutes: 120 } }],
    ['LOOPER_ROLES_PLANNER_MODEL', 'opus', { roles: { planner: { model: 'opus' } } }],
    ['LOOPER_AGENTS', '{"mine":{"command":["x"]}}', { agents: { mine: { command: ['x'] } } }],
    ['LOOPER_RACE_SIMPLE', '2', { race: { simple: 2, complex: 1 } }],
    ['LOOPER_WORKSPACE_COMMIT', 'off', { workspace: { commit: false } }],
    ['LOOPER_PARALLEL', '', { parallel: 4 }],
    ['LOOPER_INSIDE', '1', { parallel: 4 }],
  ])('reads %s=%s', (name, value, expected) => {
    expect(load({ env: { [name]: value } }).config).toMatchObject(expected as object)
  })

  test('lets a key beat the group around it', () => {
    const { limits } = load({ env: { LOOPER_LIMITS_TURNS: '4', LOOPER_LIMITS: '{"turns":3,"tokens":2}' } }).config
    expect(limits).toMatchObject({ turns: 4, tokens: 2 })
  })

  test('takes flags as texts, lists and values', () => {
    const flags = {
      checks: ['npm test', 'npm run lint'],
      review: false,
      rotation: ['claude,codex', 'gemini'],
      'limits.turns': 'null',
    }
    const { config, sources } = load({ flags })
    expect(config.checks?.map(({ run }) => run)).toEqual(['npm test', 'npm run lint'])
    expect(config).toMatchObject({ review: false, rotation: ['claude', 'codex', 'gemini'], limits: { turns: null } })
    expect(sources['checks']?.source).toBe('flag --check')
  })

  test("only warns of variables that might be another program's", () => {
    const own = { LOOPER_RUN: '1', LOOPER_MARK: 'x', LOOPER_RESULT_FILE: 'y', LOOPER_HOOK_NAME: 'onEnd', PATH: '' }
    const { warnings } = load({ env: { LOOPER_PARALEL: '3', LOOPER_XYZZY: '', ...own } })
    expect(warnings).toEqual([
      '"LOOPER_PARALEL" is not a variable of Looper\'s (did you mean "LOOPER_PARALLEL"?)',
      '"LOOPER_XYZZY" is not a variable of Looper\'s',
    ])
  })
})

describe('an invalid configuration', () => {
  test('names the file, the variable or the flag', () => {
    write(userFile(), { parallel: 0 })
    expect(errorOf(load).message).toMatch(/^~\/\.config\/looper\/config\.json: "parallel"/)
    rmSync(userFile())
    const variable = errorOf(() => load({ env: { LOOPER_PARALLEL: 'many' } }))
    expect(variable.message).toMatch(/^LOOPER_PARALLEL: "parallel" must be .*, not "many"$/)
    expect(variable.hint).toContain('unset the variable')
    expect(errorOf(() => load({ env: { LOOPER_AGENTS: '{"a":' } })).message).toMatch(
      /^LOOPER_AGENTS: not valid JSON at 1:6: expected/,
    )
    expect(errorOf(() => load({ flags: { parallel: '-1' } })).message).toMatch(/^--parallel must be .*, not -1$/)
    expect(errorOf(() => load({ flags: { 'limits.costUsd': 'x' } })).message).toBe(
      '--cost-usd must be a number of at least 0, or "none", not "x"',
    )
    expect(errorOf(() => load({ flags: { parallel: 2, 'workspace.mode': 'in-place' } })).message).toMatch(
      /^--parallel: .* must be 1 when/,
    )
    expect(errorOf(() => load({ flags: { paralel: 2 } })).message).toBe('--paralel: there is no key "paralel"')
  })
})

describe('any configuration', () => {
  const outcome = (content: unknown, env: Record<string, string> = {}): void => {
    try {
      write(projectFile(), content)
      const { config, sources } = load({ env })
      expect(config.limits).toBeTypeOf('object')
      expect(Object.values(sources).every(({ source }) => source !== '')).toBe(true)
    } catch (error) {
      expect(error).toBeInstanceOf(LooperError)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  }
  const keyName = fc.constantFrom(
    ...keys.flatMap(({ path }) => path),
    '__proto__',
    'constructor',
    'mine',
    'command',
    'polluted',
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 1, 0, -1, 0.5, '', 'single', 'claude', 'in-place', [], {}),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.array(fc.tuple(keyName, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  }))

  test('is a Config or a LooperError, nothing else', () => {
    const text = fc.oneof(
      fc.json(),
      tree.map((value) => JSON.stringify(value)),
      fc.string(),
    )
    fc.assert(
      fc.property(text, (content) => outcome(content)),
      { numRuns: tries(500) },
    )
  })

  test('is a Config or a LooperError from variables too', () => {
    const variable = fc.constantFrom(...keys.map(({ env }) => env))
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('null', '1', '-1', 'true', '{', '[', '[1]', '{"a":{}}', 'toString'),
    )
    fc.assert(
      fc.property(fc.dictionary(variable, text, { maxKeys: 3 }), (env) => outcome({}, env)),
      { numRuns: tries(500) },
    )
  })
})
