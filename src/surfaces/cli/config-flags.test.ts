import { describe, expect, test } from 'vitest'
import { configFlags } from '../../config/flags.ts'
import type { Flags } from '../../api/settings.ts'
import { switches } from './config-options.ts'
import { call } from '../../../test/kit/cli.ts'

const flagsOf = async (...argv: string[]): Promise<Flags | undefined> =>
  (await call(['run', 'do it', ...argv])).app?.asked.run[0]?.flags

describe('flags of run', () => {
  test('none given, none passed on', async () => {
    expect(await flagsOf()).toEqual({})
  })

  test.each([
    [['--parallel', '2', '--agent', 'codex'], { parallel: '2', agent: 'codex' }],
    [['--cost-usd', '5', '--time-minutes', 'none'], { 'limits.costUsd': '5', 'limits.timeMinutes': 'none' }],
    [
      ['--turns', '9', '--tokens', '1000', '--iterations', '3'],
      { 'limits.turns': '9', 'limits.tokens': '1000', 'limits.iterations': '3' },
    ],
    [['--no-review'], { review: false }],
    [['--review'], { review: true }],
    [['--no-commit'], { 'workspace.commit': false }],
    [['--in-place'], { 'workspace.mode': 'in-place' }],
    [['--workspace', 'in-place'], { 'workspace.mode': 'in-place' }],
    [['--check', 'npm test', '--check', 'npm run lint'], { checks: ['npm test', 'npm run lint'] }],
    [['--checks', 'npm test', '--checks', 'a, b'], { checks: ['npm test', 'a, b'] }],
    [['--no-checks'], { checks: [] }],
    [['--rotation', 'claude,codex', '--schedule', 'odd-even'], { rotation: ['claude,codex'], schedule: 'odd-even' }],
    [['--workflow', 'supervised'], { workflow: 'supervised' }],
  ])('%j', async (argv, flags) => {
    expect(await flagsOf(...argv)).toEqual(flags)
  })

  test('A10: every key that has a flag can be given, and help shows those that have an effect', async () => {
    const { stdout } = await call(['run', '--help'])
    for (const { flag, kind, about } of configFlags) {
      expect(new RegExp(`--${kind === 'switch' ? 'no-' : ''}${flag}\\b`).test(stdout), flag).toBe(
        !about.includes('no effect'),
      )
    }
    expect(Object.keys(switches)).toEqual(configFlags.filter(({ kind }) => kind === 'switch').map(({ key }) => key))
    expect(stdout).not.toContain('not: ')
    expect(await flagsOf('--interaction', 'auto', '--recoveries', '1')).toEqual({
      interaction: 'auto',
      'limits.recoveries': '1',
    })
  })
})

describe('values of the wrong kind: exit 2 with the name of the flag, and no run', () => {
  test.each([
    [['--parallel', 'many'], '--parallel'],
    [['--parallel', '0'], '--parallel'],
    [['--cost-usd', '-5'], '--cost-usd'],
    [['--turns', '1.5'], '--turns'],
    [['--time-minutes', ''], '--time-minutes'],
    [['--schedule', 'sometimes'], '--schedule'],
    [['--check', ''], '--check'],
    [['--check', 'a', '--no-checks'], '--no-checks'],
    [['--in-place', '--workspace', 'worktree'], '--in-place'],
  ])('%j', async (argv, flag) => {
    for (const start of [['run', 'do it'], ['do it']]) {
      const { code, stdout, stderr, app } = await call([...start, ...argv])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^looper: [^\n]+\n {2}[^\n]+\n$/)
      expect(stderr).toContain(flag)
      expect(app?.asked.run ?? []).toEqual([])
    }
  })
})

describe('limits of resume', () => {
  test.each([
    [[], {}],
    [['--cost-usd', '50'], { costUsd: 50 }],
    [['--time-minutes', 'none', '--turns', '0'], { timeMinutes: null, turns: 0 }],
  ])('%j', async (argv, limits) => {
    expect((await call(['resume', '001', ...argv, '--apply'])).app?.asked.resume).toEqual([
      { run: '001', limits, apply: true },
    ])
  })

  test('a wrong number is refused, and so are other settings', async () => {
    expect(await call(['resume', '--cost-usd', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cost-usd'),
    })
    expect(await call(['resume', '--agent', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`unknown option '--agent'`),
    })
  })
})

test('config takes the same flags', async () => {
  expect((await call(['config', '--parallel', '2'])).app?.asked.other).toEqual([['config', { parallel: '2' }]])
})

describe('help of a command shows only what its runs heed', () => {
  const shownBy = async (...command: string[]): Promise<string[]> => {
    const { stdout } = await call([...command, '--help'])
    const settings = stdout.slice(stdout.indexOf('Configuration ('), stdout.indexOf('Options of every command'))
    return [...settings.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name)
  }
  const passes = [
    'backlog',
    'agent',
    'schedule',
    'rotation',
    'workspace',
    'commit',
    'no-commit',
    'commit-style',
    'on-usage-limit',
    'in-place',
    'time-minutes',
    'cost-usd',
    'tokens',
    'turns',
    'wait-minutes',
    'disk-mb',
    'sandbox',
    'sandbox-allow',
    'on-hangup',
  ]
  const tasks = [
    'source',
    'source-name',
    'parallel',
    'checks-parallel',
    'check',
    'sessions',
    'no-checks',
    'iterations',
    'goal-iterations',
    'fix-cycles',
    'attempts',
    'split-depth',
    'recoveries',
    'new-tasks',
    'check-reruns',
    'baseline',
    'guard',
    'no-proof',
  ]
  const plans = ['workflow', 'no-review', 'on-plan-rejected', 'plan-revisions']

  test.each([
    ['refine', passes],
    ['ideate', passes],
    ['work', [...passes, ...tasks]],
    ['pipeline run', [...passes, ...tasks]],
    ['run', [...passes, ...tasks, ...plans]],
  ])('%s', async (command, shown) => {
    expect((await shownBy(...command.split(' '))).toSorted()).toEqual(shown.toSorted())
  })

  test('with the defaults of a pipeline', async () => {
    const { stdout } = await call(['work', '--help'])
    expect(stdout).toMatch(/--parallel <n> .*\(default:\s+1\)/)
    expect(stdout).toMatch(/--iterations <n> .*\(default:\s+as\s+defined\s+by\s+the\s+stage\)/)
  })

  test('a flag of another command is accepted', async () => {
    expect((await call(['refine', '--parallel', '2'])).app?.asked.run[0]?.flags).toEqual({ parallel: '2' })
  })
})

test('--model is a part of the request of every command that starts a run', async () => {
  expect((await call(['run', 'do it', '--model', 'opus'])).app?.asked.run).toMatchObject([{ model: 'opus' }])
  expect((await call(['work', '--model', 'opus'])).app?.asked.run).toMatchObject([{ model: 'opus' }])
  expect(await call(['run', 'do it', '--model', ' '])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--model needs the name of a model') as string,
  })
})

test('the help of a flag with choices lists them', async () => {
  const { stdout } = await call(['run', '--help'])
  const help = stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain('--sandbox <choice> whether agents, checks and set-up run in a sandbox of the system: off, os')
  for (const { flag, choices, about } of configFlags)
    if (choices !== null && !about.includes('no effect'))
      expect([flag, help.includes(`: ${choices.join(', ')}`)]).toEqual([flag, true])
})
