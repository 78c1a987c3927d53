import { describe, expect, test } from 'vitest'
import { terminal, call } from '../../../../test/kit/cli.ts'
import { columns } from '../../../views/text/columns.ts'
import { brokenOffRun, completedRun, failedRun, hostileRun, hostileText } from '../../../../test/kit/runs.ts'

const json = async (argv: string[], options: Parameters<typeof call>[1] = {}): Promise<unknown> => {
  const { code, stdout, stderr } = await call(argv, options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/

describe('status', () => {
  test('for people', async () => {
    const { code, stdout, stderr } = await call(['status'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^001-x\nstate {3}completed\n[^]*✓ T001[^]*next\n/)
  })

  test("--json has the contract's shape", async () => {
    expect(await json(['status', '001', '--json'])).toMatchObject({
      id: '001-x',
      goal: 'do it',
      workflow: 'supervised',
      status: 'completed',
      reason: null,
      stage: 'report',
      health: 'PROGRESSING',
      branch: 'looper/001-x',
      turns: 9,
      wave: 2,
      usage: { costUsd: 0, inputTokens: 0, outputTokens: 0 },
      tasks: [
        {
          id: 'T001',
          title: 'T001',
          status: 'done',
          attempts: 1,
          fixCycles: 0,
          dependsOn: [],
          parent: null,
          evidence: [{ check: 'test', exitCode: 0 }],
        },
        { id: 'T002', dependsOn: ['T001'] },
      ],
      questions: [],
      checkpoints: [
        { id: 'C1', commit: 'commit of T001/a1/merge0' },
        { id: 'C2', commit: 'commit of T002/a1/merge0' },
      ],
    })
  })

  test('a run without a process has crashed', async () => {
    expect(await json(['status', '--json'], { played: brokenOffRun() })).toMatchObject({ status: 'crashed' })
    expect(await json(['status', '--json'], { played: brokenOffRun(), live: true })).toMatchObject({
      status: 'running',
    })
  })
})

test('runs', async () => {
  expect((await call(['runs'])).stdout).toBe(
    'run    state      tasks  spent  age  goal\n001-x  completed  2/2    –      1h   do it\n',
  )
  const row = {
    id: '001-x',
    goal: 'do it',
    workflow: 'supervised',
    status: 'completed',
    startedAt: '2026-01-01T00:00:00.000Z',
  }
  expect(await json(['runs', '--json'])).toEqual([
    {
      ...row,
      endedAt: '2026-01-01T00:00:25.000Z',
      reason: null,
      unverified: false,
      tasks: { done: 2, total: 2 },
      usage: { costUsd: 0, inputTokens: 0, outputTokens: 0 },
      applied: null,
      discardedAt: null,
      agents: [],
    },
  ])
  const narrow = (await call(['runs'], { io: terminal({ tty: true, columns: 40 }) })).stdout.split('\n')
  for (const line of narrow) expect(columns(line)).toBeLessThanOrEqual(40)
})

test('runs: none yet', async () => {
  const overrides = { listRuns: async () => [] }
  expect((await call(['runs'], { overrides })).stdout).toMatch(/^No runs yet/)
  expect(await json(['runs', '--json'], { overrides })).toEqual([])
})

test('ls', async () => {
  expect((await call(['ls'])).stdout).toBe('✓ T001  T001  test ✓\n✓ T002  T002  test ✓\n')
  const first = { id: 'T001', status: 'done', evidence: [{ check: 'test', exitCode: 0 }] }
  expect(await json(['ls', '--json'])).toMatchObject([first, { id: 'T002' }])
})

test('config', async () => {
  expect((await call(['config'])).stdout).toBe('parallel  4       default\nagent     "mine"  flag --agent\n')
  expect(await json(['config', '--json'])).toEqual({
    parallel: { value: 4, source: 'default' },
    agent: { value: 'mine', source: 'flag --agent' },
  })
})

test('config: warnings go beside the settings', async () => {
  expect(await call(['config'], { warnings: ['mind this'] })).toMatchObject({ code: 0, stderr: '! mind this\n' })
})

test('D6: config get gives the value alone', async () => {
  expect(await call(['config', 'get', 'agent'])).toMatchObject({ code: 0, stdout: 'mine\n' })
  expect((await call(['config', 'get', 'limits'])).stdout).toBe('{"turns":null}\n')
  expect((await call(['config', 'get', 'roles.planner.model'])).stdout).toBe('')
  expect((await call(['config', 'get', 'roles.planner.model', '--json'])).stdout).toBe('null\n')
  expect(await json(['config', 'get', 'agent', '--json'])).toBe('mine')
  expect(await call(['config', 'get'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'key'"),
  })
})

test('D6: config set passes on what was typed', async () => {
  const asked = async (...argv: string[]): Promise<unknown> => (await call(['config', 'set', ...argv])).app?.asked.other
  expect(await asked('parallel', '2')).toEqual([['config set', { key: 'parallel', values: ['2'], file: 'project' }]])
  expect(await asked('checks', 'a b', 'c', '--user')).toEqual([
    ['config set', { key: 'checks', values: ['a b', 'c'], file: 'user' }],
  ])
  expect(await asked('parallel', '--unset', '--project')).toEqual([
    ['config set', { key: 'parallel', values: null, file: 'project' }],
  ])
  expect(await call(['config', 'set', 'parallel', '2'], { warnings: ['mind this'] })).toMatchObject({
    stdout: 'parallel is now "2" in .looper/config.json\n',
    stderr: '! mind this\n',
  })
})

test.each([
  [['config', 'set', 'parallel'], 'there is no value to set'],
  [['config', 'set', 'parallel', '2', '--unset'], '--unset takes no value'],
  [['config', 'set', 'parallel', '2', '--user', '--project'], '--user and --project cannot be used together'],
  [['config', 'gte', 'parallel'], "unknown command 'config gte'"],
])('looper %j is refused with exit 2', async (argv, message) => {
  expect(await call(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

test('config path', async () => {
  expect((await call(['config', 'path'])).stdout).toBe(
    'user     /home/config.json             not there\nproject  /nowhere/.looper/config.json\n',
  )
  expect(await json(['config', 'path', '--json'])).toMatchObject([
    { name: 'user', exists: false },
    { name: 'project', exists: true },
  ])
})

test('config: a group is shown by its members', async () => {
  const source = 'default'
  const settings = { limits: { value: { turns: 1 }, source }, 'limits.turns': { value: 1, source } }
  const overrides = { config: async () => ({ settings, warnings: [] }) }
  expect((await call(['config'], { overrides })).stdout).toBe('limits.turns  1  default\n')
})

describe('doctor', () => {
  const ill = {
    doctor: async () => [
      { check: 'git', ok: true, detail: '2.39.2', hint: null },
      { check: 'agent', ok: false, detail: 'none is installed', hint: 'Install one.' },
    ],
  }

  test('all is well: exit 0', async () => {
    expect(await call(['doctor'])).toMatchObject({ code: 0, stdout: '✓ git  2.39.2\n' })
    expect(await json(['doctor', '--json'])).toEqual([{ check: 'git', ok: true, detail: '2.39.2', hint: null }])
  })

  test('something is wrong: exit 1, with what to do', async () => {
    const shown = '✓ git    2.39.2\n✗ agent  none is installed\n    Install one.\n'
    expect(await call(['doctor'], { overrides: ill })).toMatchObject({ code: 1, stdout: shown })
    const { code, stdout } = await call(['doctor', '--json'], { overrides: ill })
    expect({ code, rows: JSON.parse(stdout) as unknown }).toEqual({ code: 1, rows: await ill.doctor() })
  })

  test('--repair is passed on', async () => {
    expect((await call(['doctor', '--repair'])).app?.asked.other).toEqual([['doctor', true]])
    expect((await call(['doctor'])).app?.asked.other).toEqual([['doctor', false]])
  })
})

test('init', async () => {
  const { code, stdout } = await call(['init'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\.looper\/config\.json written\n {2}checks: npm test\n\nnext\n {2}looper doctor .*\n.*\n$/)
  expect(stdout).toMatch(/\n {2}looper run "<goal>" --dry-run .*\n$/)
  const overrides = { init: async () => ({ path: '.looper/config.json', created: false, notes: [], problem: null }) }
  expect(await call(['init'], { overrides })).toMatchObject({
    code: 0,
    stdout: '.looper/config.json already exists: not changed\n',
  })
})

test('report', async () => {
  expect(await call(['report'])).toMatchObject({ code: 0, stdout: '# report of 001-x\n' })
  expect((await call(['report'], { overrides: { report: async () => hostileText } })).stdout).not.toMatch(controls)
})

describe('diff', () => {
  const patch = 'diff --git a/a b/a\n@@ -1 +1 @@\n-old\r\n+new \u001B[2J\n'
  const overrides = { diff: async () => Buffer.from(patch) }

  test('in a pipe it is exact', async () => {
    expect(await call(['diff'], { overrides })).toMatchObject({ code: 0, stdout: patch })
  })

  test('on a terminal it is harmless, and colored when wanted', async () => {
    const tty = { io: terminal({ tty: true }), overrides }
    expect((await call(['diff'], tty)).stdout).toContain('\u001B[31m-old\u001B[39m\n\u001B[32m+new \u001B[39m\n')
    expect((await call(['diff', '--no-color'], { io: terminal({ tty: true }), overrides })).stdout).not.toMatch(
      controls,
    )
  })

  test('--stat, and nothing at all', async () => {
    expect((await call(['diff', '--stat'])).stdout).toBe(' a | 1 +\n')
    const nothing = { overrides: { diff: async () => Buffer.from('') } }
    expect((await call(['diff'], nothing)).stdout).toBe('')
    expect((await call(['diff'], { ...nothing, io: terminal({ tty: true }) })).stdout).toBe('No changes.\n')
  })
})

describe('hostile words of agents', () => {
  const commands = [[['status']], [['ls']], [['tail', '-n', 'all']], [['runs']]]
  test.each(commands)('looper %j shows them without control characters', async (argv) => {
    const { code, stdout } = await call(argv, { played: hostileRun() })
    expect(code).toBe(0)
    expect(stdout).not.toMatch(controls)
    expect(stdout).not.toMatch(/^FAKE/m)
  })

  test('JSON keeps them as they are, escaped', async () => {
    const { stdout } = await call(['ls', '--json'], { played: hostileRun() })
    expect(JSON.parse(stdout)).toMatchObject([{ title: hostileText }])
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F]/)
  })
})

test('a failed run is failed everywhere', async () => {
  const played = failedRun()
  expect(await json(['status', '--json'], { played })).toMatchObject({
    status: 'failed',
    reason: expect.any(String) as string,
  })
  expect((await call(['status'], { played })).stdout).toMatch(/state {3}failed/)
  expect((await call(['ls'], { played })).stdout).toMatch(/✗ T001/)
})

test.each([
  [['status', '7']],
  [['ls', '7']],
  [['tail', '7']],
  [['tail', '7', '--json']],
  [['report', '7']],
  [['diff', '7']],
  [['apply', '7']],
  [['discard', '7', '--yes']],
  [['stop', '7']],
  [['resume', '7']],
])('looper %j: an unknown run is exit 2 with nothing on stdout', async (argv) => {
  const { code, stdout, stderr } = await call(argv, { played: completedRun() })
  const refusal = 'looper: there is no run "7"\n  `looper runs` lists the runs of this repository.\n'
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: refusal })
})
