/**
 * Whatever is wrong before or in a run: one clear line, what to do about it, the right exit code, and nothing touched.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, call, listening, ownAgent, projects, turns } from '../kit/outside.ts'
import { cooperative, type Ended, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const quick = { review: false, limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 } }
const setConfig = (project: Project, text: string | object): void =>
  project.write('.looper/config.json', typeof text === 'string' ? text : JSON.stringify(text))

/** Two lines on stderr, what and what to do; nothing on stdout; no run begun. */
function refusal({ code, stdout, stderr }: Ended, project?: Project): string {
  expect({ code, stdout, stderr }).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^looper: .+\n {2}.+\n$/),
  })
  if (project) expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
  return stderr
}

describe('configuration that is wrong', () => {
  const cases: [name: string, config: string | object, told: string[]][] = [
    ['an unknown key', { paralel: 2 }, ['.looper/config.json', 'paralel', '"parallel"']],
    [
      'an unknown key in a group',
      { limits: { timeMinute: 3 } },
      ['.looper/config.json', 'limits.timeMinute', 'timeMinutes'],
    ],
    [
      'an unknown key of an agent',
      { agents: { mine: { comand: ['x'] } } },
      ['.looper/config.json', 'agents.mine.comand', 'command'],
    ],
    ['an unknown key of a check', { checks: [{ name: 'x', cmd: 'y' }] }, ['.looper/config.json', 'checks[0]', 'cmd']],
    ['an unknown role', { roles: { codr: { agent: 'x' } } }, ['.looper/config.json', 'codr', 'coder']],
    ['a wrong type', { parallel: '4' }, ['.looper/config.json', 'parallel']],
    ['a wrong type in a group', { limits: { attempts: 1.5 } }, ['.looper/config.json', 'limits.attempts']],
    ['a negative limit', { limits: { costUsd: -1 } }, ['.looper/config.json', 'limits.costUsd']],
    ['a choice that is none', { onPlanRejected: 'abbort' }, ['.looper/config.json', 'onPlanRejected', '"abort"']],
    ['checks that are no list', { checks: 'npm test' }, ['.looper/config.json', 'checks']],
    ['a check without a command', { checks: [{ name: 'x' }] }, ['.looper/config.json', 'checks[0].run']],
    [
      'checks of one name',
      {
        checks: [
          { name: 'x', run: 'a' },
          { name: 'x', run: 'b' },
        ],
      },
      ['.looper/config.json', 'checks', 'x'],
    ],
    [
      'a command that is a string',
      { agents: { mine: { command: 'agent.py' } } },
      ['.looper/config.json', 'agents.mine.command'],
    ],
    ['a syntax error', '{\n  "parallel": 2,,\n}', ['.looper/config.json:2']],
    ['an end too early', '{ "parallel": 2', ['.looper/config.json:1', 'end of file']],
    ['a key twice', '{ "parallel": 2, "parallel": 3 }', ['.looper/config.json', 'parallel']],
    ['no object', '[]', ['.looper/config.json', 'object']],
    ['__proto__', '{ "__proto__": { "parallel": 2 } }', ['.looper/config.json', '__proto__']],
    ['a copy that leads out', { workspace: { copy: ['../secret'] } }, ['.looper/config.json', 'workspace.copy']],
    [
      'in place with several at once',
      { parallel: 2, workspace: { mode: 'in-place' } },
      ['.looper/config.json', 'parallel', 'in-place'],
    ],
    [
      'thresholds the wrong way round',
      { thresholds: { approve: 40, revise: 60 } },
      ['.looper/config.json', 'thresholds.revise'],
    ],
    [
      'an unknown agent',
      { agent: 'tets', agents: { test: { command: ['true'] } } },
      ['.looper/config.json', 'tets', '"test"'],
    ],
    [
      'an unknown agent of a role',
      { agents: { test: { command: ['true'] } }, roles: { coder: { agent: 'unknown' } } },
      ['.looper/config.json', 'roles.coder.agent', 'unknown'],
    ],
    ['an agent without a command', { agents: { mine: {} } }, ['.looper/config.json', 'mine', 'command']],
    [
      'a program that is not there',
      { agents: { mine: { command: ['no-such-agent-here'] } } },
      ['no-such-agent-here', 'agents.mine', '.looper/config.json'],
    ],
    ['no agent at all', {}, ['agent', 'looper config set agents.mine.command']],
    [
      'an unknown workflow',
      { workflow: 'supervized', agents: { test: { command: ['true'] } } },
      ['supervized', 'supervised'],
    ],
  ]
  test('names the file, the key and the nearest valid one; nothing is begun', async () => {
    const project = create()
    const wrong: string[] = []
    // Whatever agents this machine has, this path has none.
    const bin = join(dirname(project.root), 'bin')
    mkdirSync(bin)
    for (const program of ['git', 'true'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${program} | grep / || echo /bin/${program}`], {
          encoding: 'utf8',
        }).trim(),
        join(bin, program),
      )
    for (const [name, config, told] of cases) {
      setConfig(project, config)
      const stderr = refusal(await call(project, ['run', 'be refused'], { env: { PATH: bin } }), project)
      wrong.push(...told.filter((text) => !stderr.includes(text)).map((text) => `${name}: no ${text} in ${stderr}`))
    }
    expect(wrong).toEqual([])
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
  })

  test('errors name the variable, the flag or the user’s file', async () => {
    const project = create()
    const told = async (text: string, args: string[], env: Record<string, string> = {}): Promise<void> =>
      expect(refusal(await call(project, ['run', 'be refused', ...args], { env }), project)).toContain(text)
    await told('LOOPER_PARALLEL', [], { LOOPER_PARALLEL: 'many' })
    await told('LOOPER_LIMITS_COST_USD', [], { LOOPER_LIMITS_COST_USD: '-3' })
    await told('--parallel', ['--parallel', 'many'])
    await told('--paralel', ['--paralel', '2'])
    mkdirSync(join(dirname(project.root), '.config/looper'), { recursive: true })
    beside(project, '.config/looper/config.json', '{ "reveiw": false }')
    await told('~/.config/looper/config.json', [])
    const warned = await call(project, ['config'], { env: { LOOPER_PARALELL: '2', XDG_CONFIG_HOME: '/nowhere' } })
    expect(warned.code).toBe(0)
  })

  test('an unknown LOOPER_ variable is reported, and does not stop the run', async () => {
    const project = create({ config: quick })
    const { code, stderr } = await call(project, ['run', 'make two files', '--quiet'], {
      env: { LOOPER_PARALELL: '2' },
    })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^! .*LOOPER_PARALELL.*LOOPER_PARALLEL.*\n$/)
  })
})

describe('configuration that is right', () => {
  test('everything the contract shows is accepted, with comments; layers add up; null and 0 are values', async () => {
    const project = create()
    mkdirSync(join(dirname(project.root), '.config/looper'), { recursive: true })
    beside(
      project,
      '.config/looper/config.json',
      '{ "parallel": 7, "limits": { "turns": 9, "tokens": 5 }, "secrets": ["USERS"] }',
    )
    setConfig(
      project,
      `{
  // every key of the contract
  "workflow": "supervised", "agent": "claude",
  "agents": {
    "claude": { "bin": "claude", "model": "m", "args": [], "env": { "ANTHROPIC_BASE_URL": "http://token@here" }, "fallback": ["codex"], "tiers": ["haiku", "sonnet", "opus"] },
    "mine": { "command": ["python3", "agent.py"], "timeoutMinutes": 30, "stallSeconds": 300 },
  },
  "roles": { "planner": { "agent": "claude", "model": "opus" } },
  "schedule": "odd-even", "rotation": ["claude", "codex"], "checksParallel": 2,
  "workspace": { "mode": "worktree", "setup": ["npm ci"], "copy": [".env"], "commit": true },
  "checks": [ { "name": "test", "run": "npm test" }, "npm run lint" ],
  "interaction": "auto",
  "limits": { "timeMinutes": 120, "costUsd": null, "tokens": null, "iterations": 50, "goalIterations": 0,
    "fixCycles": 3, "attempts": 3, "splitDepth": 3, "planRevisions": 3, "recoveries": 2, "waitMinutes": 360 },
  "secrets": ["MY_TOKEN"], "race": { "complex": 1 }, "thresholds": { "approve": 70, "revise": 50, "failedTasksAbort": 0.5 },
  "review": true, "sessions": "fresh", "onUsageLimit": "wait", "onPlanRejected": "skip_and_continue",
  "hooks": { "postIteration": ["./notify.sh"], "onQuestion": [], "onEnd": [] },
}`,
    )
    const { code, stdout, stderr } = await call(project, ['config', '--json', '--fix-cycles', '1', '--no-review'], {
      env: { LOOPER_LIMITS_ATTEMPTS: '2', LOOPER_LIMITS_SPLIT_DEPTH: '0', LOOPER_ON_USAGE_LIMIT: 'pause' },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const config = JSON.parse(stdout) as Record<string, { value: unknown; source: string }>
    const expected: [string, unknown, RegExp][] = [
      ['parallel', 7, /user.*~\/\.config\/looper\/config\.json/],
      ['limits.turns', 9, /user/],
      ['limits.tokens', null, /project.*\.looper\/config\.json/],
      ['limits.costUsd', null, /project/],
      ['limits.goalIterations', 0, /project/],
      ['limits.attempts', 2, /LOOPER_LIMITS_ATTEMPTS/],
      ['limits.splitDepth', 0, /LOOPER_/],
      ['limits.fixCycles', 1, /--fix-cycles/],
      ['review', false, /review/],
      ['onUsageLimit', 'pause', /LOOPER_ON_USAGE_LIMIT/],
      ['secrets', ['MY_TOKEN'], /project/],
      [
        'checks',
        [
          { name: 'test', run: 'npm test' },
          { name: 'npm run lint', run: 'npm run lint' },
        ],
        /project/,
      ],
    ]
    for (const [key, value, source] of expected)
      expect({ key, ...config[key] }).toEqual({ key, value, source: expect.stringMatching(source) })
    expect(stdout).not.toContain('token@here')
    expect(await call(project, ['config'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/parallel +7 .*user/),
    })
  })

  test('checks: [] switches them off, and every view says unverified', async () => {
    const project = create({ config: { ...quick, checks: [] } })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(stdout).toMatch(/checks .*unverified[^]*T001 done.*unverified[^]*proof .*unverified/)
    const [status, ls, report] = await Promise.all(['status', 'ls', 'report'].map((name) => project.looper(name)))
    for (const view of [status, ls, report]) expect(view?.stdout).toContain('unverified')
    for (const file of ['report.md', 'plan.md'])
      expect(project.read(`.looper/runs/last/${file}`)).toContain('unverified')
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', evidence: [] }, { evidence: [] }],
    })
    expect(found(project, 'check.finished')).toEqual([])
  })

  test('checks absent: discovered, and held against every task; nothing to discover is reported before the run', async () => {
    const files = { 'package.json': '{ "scripts": { "test": "test -e T001.txt", "lint": "exit 0" } }' }
    const project = create({ files, agent: `${listening}${cooperative}` })
    setConfig(project, { ...quick, baseline: 'no-worse', agents: { test: ownAgent(project) } })
    const dry = await project.looper('run', 'make two files', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/checks .*npm/) })
    expect(existsSync(join(project.root, '.looper/runs'))).toBe(false)
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect((await project.status()).tasks[0]?.evidence).toContainEqual({
      check: expect.stringContaining('test'),
      exitCode: 0,
    })

    const bare = create()
    setConfig(bare, { ...quick, agents: { test: ownAgent(bare) } })
    expect(await bare.looper('run', 'x', '--dry-run')).toMatchObject({
      stdout: expect.stringContaining('none found: work is unverified'),
    })
    expect(await bare.looper('run', 'x', '--dry-run', '--check', 'make')).toMatchObject({
      stdout: expect.stringMatching(/checks .*make/),
    })
  })

  test('a limit of 0 means none at all', async () => {
    const project = create({ config: { review: false }, agent: `${listening}${cooperative}` })
    const zero = async (name: string, code: number, agents: number): Promise<string> => {
      const before = turns(project).length
      const {
        code: got,
        stdout,
        stderr,
      } = await call(project, ['run', 'make two files'], {
        env: { [`LOOPER_LIMITS_${name}`]: '0', ...(name === 'ATTEMPTS' ? { LOOPER_LIMITS_GOAL_ITERATIONS: '0' } : {}) },
      })
      expect({ name, code: got, stderr, agents: turns(project).length - before }).toEqual({
        name,
        code,
        stderr: '',
        agents,
      })
      return stdout
    }
    expect(await zero('TIME_MINUTES', 3, 0)).toContain('--time-minutes')
    expect(await zero('COST_USD', 3, 0)).toContain('--cost-usd')
    expect(await zero('TOKENS', 3, 0)).toContain('--tokens')
    expect(await zero('ITERATIONS', 3, 1)).toContain('--iterations')
    await zero('ATTEMPTS', 1, 1)
    await zero('WAIT_MINUTES', 0, 3)
    expect(await call(project, ['resume', '1', '--time-minutes', 'none', '--quiet'])).toMatchObject({ code: 0 })
  })
})
