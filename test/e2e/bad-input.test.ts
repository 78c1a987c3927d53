/**
 * Whatever is wrong before or in a run: one clear line, what to do about it, the right exit code, and nothing touched.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, call, listening, ownAgent, projects, received, turns } from '../kit/outside.ts'
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
    ['no agent at all', {}, ['agent', '.looper/config.json']],
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

  test('checks absent: discovered, and held against every task; nothing to discover is told before the run', async () => {
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

/** Every file with its mode and content, the index and the refs included. */
function photograph(root: string): Record<string, string> {
  const seen: Record<string, string> = {}
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name)
      const facts = lstatSync(join(root, path))
      if (
        path === '.looper'
        || path === '.git/objects'
        || path === '.git/refs/heads/looper'
        || path === '.git/refs/looper'
        || path.startsWith('.git/logs/refs')
        || path === '.git/worktrees'
      )
        continue
      if (facts.isDirectory()) walk(path)
      else
        seen[path] = `${facts.mode.toString(8)} ${
          facts.isSymbolicLink()
            ? readlinkSync(join(root, path))
            : createHash('sha256')
                .update(readFileSync(join(root, path)))
                .digest('hex')
        }`
    }
  }
  walk('')
  return seen
}

describe('starting conditions', () => {
  test('a branch that blocks run branches is named, with how to rename it', async () => {
    const project = create()
    project.git('branch', 'looper')
    expect(refusal(await project.looper('run', 'make it'), project)).toContain('git branch -m looper')
  })

  test('a dirty checkout stays as it is, byte for byte and index included, and is mentioned in one line', async () => {
    const project = create({
      config: quick,
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'x', 'run.sh': '#!/bin/sh\n', 'to-do.json': '[]' },
    })
    project.write('a.txt', 'staged\n')
    project.git('add', 'a.txt')
    project.write('a.txt', 'staged, then changed again\r\n')
    project.write('b.txt', 'changed\n')
    project.write('new file.txt', 'untracked')
    project.write('added.txt', 'added')
    project.git('add', '-N', 'added.txt')
    project.write('to-do.json', '[1]')
    project.git('rm', '-q', 'gone.txt')
    chmodSync(join(project.root, 'run.sh'), 0o755)
    symlinkSync('b.txt', join(project.root, 'link'))
    const [before, status] = [photograph(project.root), project.git('status', '--porcelain')]
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').filter((line) => /uncommitted|not committed/.test(line))).toHaveLength(1)
    expect(photograph(project.root)).toEqual(before)
    expect(project.git('status', '--porcelain')).toBe(status)
    expect(project.git('show', 'looper/001-make-two-files:a.txt')).toBe('a')
    expect(project.git('ls-tree', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
      'a.txt',
      'b.txt',
      'gone.txt',
      'run.sh',
      'to-do.json',
    ])
  })

  test('no repository, no commit, no checkout: exit 2 with the command that helps', async () => {
    const project = create()
    const home = dirname(project.root)
    const folder = (name: string): string => {
      mkdirSync(join(home, name), { recursive: true })
      return join(home, name)
    }
    const git = (cwd: string, ...args: string[]): unknown => execFileSync('git', args, { cwd, stdio: 'ignore' })
    const from = async (cwd: string): Promise<string> => refusal(await call(project, ['run', 'start here'], { cwd }))

    expect(await from(folder('plain'))).toMatch(/git init/)
    const empty = folder('empty')
    git(empty, 'init', '-q')
    expect(await from(empty)).toMatch(/git commit/)
    expect(readdirSync(empty)).toEqual(['.git'])
    git(home, 'clone', '-q', '--bare', project.root, join(home, 'bare.git'))
    expect(await from(join(home, 'bare.git'))).toMatch(/bare.*[^]*[Cc]lone/)
    expect(await from(join(project.root, '.git'))).toMatch(/\.git/)
    for (const args of [['status'], ['runs'], ['init']]) refusal(await call(project, args, { cwd: folder('plain') }))
    expect(await call(project, ['run', 'x', '-C', join(home, 'nowhere')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere'),
    })
    expect(JSON.parse((await call(project, ['doctor', '--json'], { cwd: folder('plain') })).stdout)).toContainEqual({
      check: 'repository',
      ok: false,
      detail: expect.any(String),
      hint: expect.stringContaining('git init'),
    })
  })

  test('doctor: an interpreter without its script, and a script that cannot be played, are told with what to do', async () => {
    const project = create({ config: quick })
    const row = async (agent: object): Promise<unknown> => {
      project.configure({ agent: 'mine', agents: { mine: agent }, checks: ['true'] })
      const { code, stdout } = await project.looper('doctor', '--json')
      const rows = JSON.parse(stdout) as { check: string; ok: boolean }[]
      expect(code).toBe(rows.every(({ ok }) => ok) ? 0 : 1)
      return rows.find(({ check }) => check === 'agent mine')
    }
    const hint = expect.stringContaining('agents.mine.command') as string
    expect(await row({ command: ['node', 'agent.js'] })).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/no agent\.js in/),
      hint,
    })
    expect(await row({ acp: ['node', 'agent.js'] })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('agents.mine.acp'),
    })
    expect(await row({ script: 'gone.yaml' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('gone.yaml'),
    })
    project.write('agent.js', '')
    expect(await row({ command: ['node', 'agent.js'] })).toMatchObject({ ok: true, hint: null })
  })

  test('doctor: a check whose program does not exist is reported', async () => {
    const project = create({ config: { checks: [{ name: 'unit', run: 'no-such-program --all' }, 'true'] } })
    const { code, stdout } = await project.looper('doctor', '--json')
    const rows = (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check.startsWith('check '))
    expect(rows).toMatchObject([
      {
        check: 'check unit',
        ok: false,
        detail: 'no-such-program --all: the program no-such-program is not in PATH',
        hint: expect.stringContaining('no-such-program'),
      },
    ])
    expect(code).toBe(1)
  })

  test('the hint of a broken configuration is a command that works', async () => {
    const project = create({ config: {} })
    project.write('.looper/config.json', '{ "paralel": 1 }')
    const { code, stderr } = await project.looper('config')
    expect([code, stderr]).toEqual([2, expect.stringContaining('`looper config path`')])
    expect((await project.looper('config', 'path')).code).toBe(0)
    expect((await project.looper('config', '--parallel', 'x')).stderr).not.toContain('`looper config`')
  })

  test('from a subdirectory the repository’s root is used; a detached HEAD is where it starts from', async () => {
    const project = create({
      config: quick,
      files: { 'deep/er/file.txt': 'x' },
      agent: `if (role === 'coder') note('files', fs.readdirSync('.').toSorted().join())\n${cooperative}`,
    })
    project.git('checkout', '-q', '--detach')
    expect(await call(project, ['run', 'make two files'], { cwd: join(project.root, 'deep/er') })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(readFileSync(join(project.notes, 'files'), 'utf8').split('\n')[0]).toBe('.git,README.md,deep')
    expect(existsSync(join(project.root, 'deep/er/.looper'))).toBe(false)
    expect((await call(project, ['status', '--json'], { cwd: join(project.root, 'deep') })).stdout).toContain(
      '"branch": null',
    )
    expect(project.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD')
    expect(project.git('rev-list', '--count', 'HEAD..looper/001-make-two-files')).toBe('2')
    expect(await call(project, ['apply'], { cwd: join(project.root, 'deep') })).toMatchObject({ code: 0 })
    expect(project.read('T002.txt')).toContain('T002')
  })

  test('in place refuses modified tracked files, staged or not, but nothing untracked', async () => {
    const config = { ...quick, workspace: { mode: 'in-place' } }
    const project = create({ config, files: { 'a.txt': 'a\n' } })
    project.write('mine.txt', 'untracked')
    for (const stage of [false, true]) {
      project.write('a.txt', 'changed\n')
      if (stage) project.git('add', 'a.txt')
      const stderr = refusal(await project.looper('run', 'in place'), project)
      expect(stderr).toMatch(/a\.txt[^]*(?:commit|stash)/i)
    }
    project.git('checkout', '-q', 'HEAD', '--', 'a.txt')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(project.read('mine.txt')).toBe('untracked')
    expect(project.read('T001.txt')).toContain('T001')
  })
})

describe.concurrent('plans that cannot be', () => {
  const plans: [string, object[], RegExp][] = [
    [
      'a cycle',
      [
        { id: 'A', title: 'a', dependsOn: ['B'] },
        { id: 'B', title: 'b', dependsOn: ['A'] },
      ],
      /circle.*A.*B|circle.*B.*A/,
    ],
    ['a task that needs itself', [{ id: 'A', title: 'a', dependsOn: ['A'] }], /circle|itself/],
    ['an unknown dependency', [{ id: 'A', title: 'a', dependsOn: ['Z9'] }], /Z9/],
    [
      'the same id twice',
      [
        { id: 'A', title: 'a' },
        { id: 'A', title: 'b' },
      ],
      /"A"/,
    ],
    ['no task', [], /task/],
    ['a task without a title', [{ id: 'A' }], /title/],
  ]
  test.each(plans)('%s: one repair turn with the errors, then exit 1', async (_, tasks, told) => {
    const project = create({
      config: quick,
      agent: `${listening}answer({ status: 'plan', tasks: ${JSON.stringify(tasks)} })`,
    })
    const { code, stdout, stderr } = await project.looper('run', 'plan badly')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const [first, second, ...rest] = turns(project)
    expect([first, rest]).toEqual(['plan/r0 planner plan', []])
    expect(second).toMatch(/ planner plan$/)
    expect(received(project, second!.split(' ')[0]!)).toMatch(told)
    expect(stdout).toMatch(told)
    expect(await project.status()).toMatchObject({ status: 'failed', reason: expect.stringMatching(told), tasks: [] })
  })

  test('a plan that the repair turn corrects is accepted; so are plans of one and of twenty tasks', async () => {
    const project = create({
      config: { ...quick, checks: [] },
      agent: `${listening}
if (role === 'planner') answer({ tasks: env.LOOPER_TURN === 'plan/r0' ? [{ id: 'A', title: 'a', dependsOn: ['B'] }] : Array.from({ length: 20 }, (_, n) => ({ title: 'number ' + n })) })
if (role === 'coder') { write(task, ''); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'plan well')).toMatchObject({ code: 0 })
    const { tasks } = await project.status()
    expect(tasks.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => `T${String(n + 1).padStart(3, '0')}`),
    )
  })
})

describe('the command line', () => {
  test('typing errors are reported with a suggestion', async () => {
    const project = create()
    const cases: [string[], RegExp][] = [
      [['stauts'], /status/],
      [['run'], /goal/],
      [['run', ''], /goal/],
      [['run', 'a', 'b'], /quotes/],
      [['run', 'x', '--goal-file', 'y'], /cannot be used together/],
      [['run', '--goal-file', 'nothing.md'], /nothing\.md/],
      [['task'], /add, retry, skip/],
      [['task', 'ad'], /task add/],
      [['answer', 'Q1', ''], /empty/],
      [['tail', '-n', 'few'], /--lines/],
      [['discard'], /no run/i],
      [['resume', '--turns', 'lots'], /--turns/],
    ]
    for (const [args, told] of cases) {
      const { code, stdout, stderr } = await project.looper(...args)
      expect({ args, code, stdout, stderr }).toEqual({ args, code: 2, stdout: '', stderr: expect.stringMatching(told) })
    }
    for (const args of [
      ['--help'],
      ['run', '--help'],
      ['help', 'status'],
      ['task', '--help'],
      ['version'],
      ['--version'],
    ]) {
      const { code, stdout, stderr } = await project.looper(...args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
      expect(stdout.length).toBeGreaterThan(3)
    }
  })

  test('a goal from stdin, from a file, and without “run”', async () => {
    const project = create({ config: quick })
    const goal = 'Make two files,\nlike “this” & $that'
    writeFileSync(join(project.root, 'goal.md'), goal)
    const all = await Promise.all([
      call(project, ['run', '-', '--dry-run', '--json'], { input: goal }),
      call(project, ['run', '--goal-file', 'goal.md', '--dry-run', '--json']),
      call(project, [goal, '--dry-run', '--json']),
    ])
    for (const { code, stdout } of all)
      expect({ code, card: JSON.parse(stdout) as unknown }).toMatchObject({ code: 0, card: { goal } })
  })
})
