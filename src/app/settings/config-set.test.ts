import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { parseJsonc } from '../../platform/jsonc.ts'
import type { ConfigChanged } from '../../api/settings.ts'
import { setSetting } from './config-set.ts'
import { configFiles, readSetting, readSettings } from './config.ts'
import type { AppContext } from '../context.ts'

let repository: Repository
let context: AppContext
beforeEach(() => {
  repository = makeRepository()
  context = {
    cwd: repository.root,
    env: {},
    home: temporaryFolder(),
    packageFolder: resolve(import.meta.dirname, '../../..'),
    version: '1.2.3',
  }
})

const project = '.looper/config.json'
const userPath = (): string => join(context.home, '.config/looper/config.json')
const set = (key: string, ...values: string[]): Promise<ConfigChanged> =>
  setSetting(context, repository.root, { key, values, file: 'project' })
const unset = (key: string): Promise<ConfigChanged> =>
  setSetting(context, repository.root, { key, values: null, file: 'project' })
const get = (key: string): unknown => readSetting(context, repository.root, key)

describe('D6: config set', () => {
  test('makes a file that editors understand', async () => {
    expect(await set('limits.costUsd', '5')).toMatchObject({
      key: 'limits.costUsd',
      where: project,
      value: 5,
      changed: true,
      notes: [],
    })
    expect(repository.read(project)).toBe(
      '{\n  "$schema": "./config.schema.json",\n  "limits": {\n    "costUsd": 5\n  }\n}\n',
    )
    expect(existsSync(join(repository.root, '.looper/config.schema.json'))).toBe(true)
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe(
      '?? .looper/config.json\n?? .looper/config.schema.json',
    )
    expect(get('limits.costUsd')).toBe(5)
  })

  test('keeps comments, order, style, permissions, links and the byte order mark', async () => {
    const target = join(temporaryFolder(), 'dotfiles.json')
    writeFileSync(target, '\uFEFF{\r\n\t// mine\r\n\t"review": false, // fast\r\n\t"parallel": 3\r\n}\r\n')
    chmodSync(target, 0o600)
    repository.write('.looper/x', '')
    symlinkSync(target, join(repository.root, project))
    await set('limits.turns', '7')
    expect(readFileSync(target, 'utf8')).toBe(
      '\uFEFF{\r\n\t// mine\r\n\t"review": false, // fast\r\n\t"parallel": 3,\r\n\t"limits": {\r\n\t\t"turns": 7\r\n\t}\r\n}\r\n',
    )
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(lstatSync(join(repository.root, project)).isSymbolicLink()).toBe(true)
    expect(existsSync(join(repository.root, '.looper/config.schema.json'))).toBe(false)
  })

  test.each<[string, string[], unknown]>([
    ['parallel', ['2'], { parallel: 2 }],
    ['limits.turns', ['none'], { limits: { turns: null } }],
    ['review', ['no'], { review: false }],
    ['rotation', ['claude,codex'], { rotation: ['claude', 'codex'] }],
    ['rotation', ['claude', 'codex'], { rotation: ['claude', 'codex'] }],
    ['checks', ['npm test', 'npm run lint'], { checks: ['npm test', 'npm run lint'] }],
    ['checks', ['[]'], { checks: [] }],
    [
      'checks',
      ['{"name":"unit","run":"npm test"}', 'npm run lint'],
      { checks: [{ name: 'unit', run: 'npm test' }, 'npm run lint'] },
    ],
    ['checks', ['{"name":"unit","run":"npm test"}'], { checks: [{ name: 'unit', run: 'npm test' }] }],
    ['checks', ['{ npm test; }', '{ npm run lint; }'], { checks: ['{ npm test; }', '{ npm run lint; }'] }],
    ['agents.my.own.command', ['["a","b"]'], { agents: { 'my.own': { command: ['a', 'b'] } } }],
    [
      'agents.codex.prices',
      ['{"gpt-5.2":{"input":1,"output":2}}'],
      { agents: { codex: { prices: { 'gpt-5.2': { input: 1, output: 2 } } } } },
    ],
    ['roles', ['{"planner":{"model":"opus"}}'], { roles: { planner: { model: 'opus' } } }],
  ])('%s %j', async (key, values, expected) => {
    await set(key, ...values)
    const { $schema: _, ...written } = parseJsonc(repository.read(project)) as Record<string, unknown>
    expect(written).toEqual(expected)
  })

  test('a list of checks with JSON objects keeps what no command shows: variables and held-out checks', async () => {
    const unit = { name: 'unit', run: 'npm test', env: { KEY: 'v' }, pass: ['HOME_URL'] }
    const held = { name: 'held', run: './held.sh', hidden: true }
    const lint = { name: 'lint', run: 'npm run lint' }
    repository.write(project, JSON.stringify({ checks: [unit, held, lint] }))
    await set('checks', '{"name":"unit","run":"npm run unit"}', '{"name":"new","run":"true"}')
    const written = (): unknown => (parseJsonc(repository.read(project)) as Record<string, unknown>)['checks']
    expect(written()).toEqual([{ ...unit, run: 'npm run unit' }, { name: 'new', run: 'true' }, held])
    await set('checks', '{"name":"unit","run":"npm test","env":{"URL":"u"},"pass":["PORT_URL"]}')
    expect(written()).toEqual([{ ...unit, env: { KEY: 'v', URL: 'u' }, pass: ['HOME_URL', 'PORT_URL'] }, held])
    await set('checks', '{"name":"unit","run":"npm test","env":{},"pass":[]}')
    expect(written()).toEqual([{ ...unit, env: {}, pass: [] }, held])
    await set('checks', '[{"name":"unit","run":"npm test"}]')
    expect(written()).toEqual([{ ...unit, env: {}, pass: [] }, held])
    await set('checks', 'npm test')
    expect(written()).toEqual(['npm test'])
  })

  test('of what is there already changes nothing', async () => {
    await set('parallel', '2')
    const { mtimeMs, ino } = statSync(join(repository.root, project))
    expect(await set('parallel', '2')).toMatchObject({ changed: false })
    expect(await unset('review')).toMatchObject({ changed: false, value: undefined })
    expect(statSync(join(repository.root, project))).toMatchObject({ mtimeMs, ino })
  })

  test('unset takes out a key, also one that never was one, and makes no file', async () => {
    expect(await unset('parallel')).toMatchObject({ changed: false })
    expect(existsSync(join(repository.root, project))).toBe(false)
    repository.write(project, '{\n  "paralel": 2,\n  "review": false\n}\n')
    expect(await unset('paralel')).toMatchObject({ changed: true })
    expect(repository.read(project)).toBe('{\n  "review": false\n}\n')
    await expect(unset('reviw')).rejects.toMatchObject({
      message: 'there is no key "reviw" (did you mean "review"?)',
      hint: '`looper config` shows all keys with their values.',
    })
  })

  test("--user writes the user's file, which has to be valid everywhere", async () => {
    repository.write(project, '{ "agents": { "mine": { "command": ["x"] } } }')
    expect(await setSetting(context, null, { key: 'parallel', values: ['2'], file: 'user' })).toMatchObject({
      where: '~/.config/looper/config.json',
      path: userPath(),
    })
    expect(parseJsonc(readFileSync(userPath(), 'utf8'))).toEqual({ $schema: './config.schema.json', parallel: 2 })
    expect(existsSync(join(dirname(userPath()), 'config.schema.json'))).toBe(true)
    await expect(
      setSetting(context, repository.root, { key: 'agent', values: ['mine'], file: 'user' }),
    ).rejects.toMatchObject({ code: 'CONFIG_UNKNOWN_AGENT', hint: 'Nothing was written.' })
    expect(await set('agent', 'mine')).toMatchObject({ changed: true })
  })

  test('reports when something else is in force', async () => {
    context = { ...context, env: { LOOPER_PARALLEL: '3' } }
    expect((await set('parallel', '2')).notes).toEqual(['env LOOPER_PARALLEL overrides it'])
    repository.write(project, '{ "max_iterations": 3 }')
    expect((await set('limits.iterations', '5')).notes).toEqual([
      expect.stringContaining('("max_iterations") has no effect'),
    ])
  })

  test.each<[string, string | null, string, string[], string]>([
    [
      'a wrong value',
      '{ "review": false }',
      'parallel',
      ['many'],
      '.looper/config.json: "parallel" must be a whole number of at least 1, not "many"',
    ],
    [
      'a rule that would break',
      '{ "workspace": { "mode": "in-place" } }',
      'parallel',
      ['2'],
      '"parallel" must be 1 when',
    ],
    ['a broken file', '{\n  "review" false }', 'parallel', ['2'], '.looper/config.json:2:12: expected ":"'],
    ['no object', '[1]', 'parallel', ['2'], '.looper/config.json:1:1: expected an object'],
    ['another mistake in the file', '{ "reviw": false }', 'parallel', ['2'], 'unknown key "reviw"'],
    ['broken JSON', null, 'roles', ['{"a"'], 'the value is not valid JSON'],
    ['several values for one', null, 'parallel', ['1', '2'], '"parallel" must be a whole number'],
    ['an unknown key', null, 'paralel', ['2'], 'there is no key "paralel" (did you mean "parallel"?)'],
    [
      'a name of another tool',
      null,
      'max_iterations',
      ['2'],
      'there is no key "max_iterations" (did you mean "limits.iterations"?)',
    ],
    [
      'a name that all objects have',
      null,
      'agents.constructor.model',
      ['x'],
      'there is no key "agents.constructor.model"',
    ],
  ])('%s is refused, and the file stays as it is', async (_, before, key, values, message) => {
    if (before !== null) repository.write(project, before)
    await expect(set(key, ...values)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) })
    if (before === null) expect(existsSync(join(repository.root, project))).toBe(false)
    else expect(repository.read(project)).toBe(before)
  })

  test('outside of a project --user is needed', async () => {
    await expect(setSetting(context, null, { key: 'parallel', values: ['2'], file: 'project' })).rejects.toMatchObject({
      code: 'ENVIRONMENT_NOT_A_REPOSITORY',
      hint: expect.stringContaining('--user'),
    })
  })

  test('reports a folder that cannot be written', async () => {
    mkdirSync(join(context.home, '.config'))
    writeFileSync(join(context.home, '.config/looper'), 'a file')
    await expect(setSetting(context, null, { key: 'parallel', values: ['2'], file: 'user' })).rejects.toMatchObject({
      code: 'ENVIRONMENT_IO',
    })
  })
})

describe('D6: config get and path', () => {
  test('any key, a group, and what is not set', async () => {
    repository.write(
      project,
      '{ "agents": { "my.own": { "command": ["x"], "model": "m" } }, "limits": { "turns": null } }',
    )
    expect(get('parallel')).toBe(4)
    expect(get('limits.turns')).toBeNull()
    expect(get('agents.my.own.model')).toBe('m')
    expect(get('agents.my.own')).toEqual({ command: ['x'], model: 'm' })
    expect(get('roles.planner.model')).toBeUndefined()
    expect(get('agents.codex')).toBeUndefined()
    expect(get('agents.codex.prices.gpt-5.2.input')).toBeUndefined()
  })

  test.each([
    ['paralel', 'parallel'],
    ['limits.turn', 'limits.turns'],
    ['turns', 'limits.turns'],
    ['agents.mine.modle', 'agents.mine.model'],
    ['max_iterations', 'limits.iterations'],
    ['agents.mine.binary', 'agents.mine.bin'],
    ['zebra.stripes', null],
  ])('%s is no key: %s', (key, nearest) => {
    expect(() => get(key)).toThrow(expect.objectContaining({ exitCode: 2, details: { key, nearest } }))
  })

  test('no secrets', () => {
    context = {
      ...context,
      env: { MY_TOKEN: 'hunter2hunter2', LOOPER_SECRETS: 'MY_TOKEN', LOOPER_AGENTS_CLAUDE_ENV_KEY: 'deep-secret' },
    }
    const hook = 'https://hooks.example/T0/secret-path'
    repository.write(
      project,
      JSON.stringify({
        agents: { mine: { command: ['x', '--token=hunter2hunter2'], env: { A: 'deep-secret' } } },
        notify: { webhook: hook },
      }),
    )
    expect(get('agents.mine.env.A')).toBe('***')
    expect(get('agents.mine.env')).toEqual({ A: '***' })
    expect(get('notify.webhook')).toBe('***')
    expect(get('agents.mine.command')).toEqual(['x', '--token=[MY_TOKEN]'])
    const all = JSON.stringify([get('agents'), get('notify'), readSettings(context, repository.root, {})])
    for (const secret of ['hunter2', 'deep-secret', 'secret-path']) expect(all).not.toContain(secret)
  })

  test('config set does not repeat a secret', async () => {
    expect(await set('agents.claude.env.KEY', 'deep-secret')).toMatchObject({
      key: 'agents.claude.env.KEY',
      value: '***',
      changed: true,
    })
  })

  test('config path names what is looked at', () => {
    repository.write(project, '{}')
    expect(configFiles(context, repository.root)).toEqual([
      { name: 'user', path: userPath(), exists: false },
      { name: 'project', path: join(repository.root, project), exists: true },
    ])
    expect(configFiles({ ...context, env: { XDG_CONFIG_HOME: '/xdg' } }, null)).toEqual([
      { name: 'user', path: '/xdg/looper/config.json', exists: false },
    ])
  })
})
