import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import type { BacklogTask } from '../../../views/status/backlog.ts'
import type { RepositoryApp } from '../../../api/app.ts'

const row: BacklogTask = {
  id: 'T1',
  title: 'one',
  status: 'todo',
  priority: 1,
  dependsOn: [],
  reason: null,
  type: null,
  criteria: [],
  files: [],
}
const withBacklog: Partial<RepositoryApp> = { backlog: async () => [row, { ...row, id: 'T2', status: 'done' }] }

describe('ls (D10)', () => {
  test('shows the backlog when there is one', async () => {
    const shown = '○ T1  one  priority 1\n✓ T2  one\n\n1 todo · 1 done\n'
    expect(await call(['ls'], { overrides: withBacklog })).toMatchObject({ code: 0, stdout: shown, stderr: '' })
    const { stdout } = await call(['ls', '--json'], { overrides: withBacklog })
    expect(JSON.parse(stdout)).toEqual([row, { ...row, id: 'T2', status: 'done' }])
  })

  test('shows a run when one is named, or when there is no backlog', async () => {
    expect((await call(['ls', '1'], { overrides: withBacklog })).stdout).toBe(
      '✓ T001  T001  test ✓\n✓ T002  T002  test ✓\n',
    )
    expect((await call(['ls'])).stdout).toBe('✓ T001  T001  test ✓\n✓ T002  T002  test ✓\n')
  })

  test('--status', async () => {
    expect((await call(['ls', '--status', 'done'], { overrides: withBacklog })).stdout).toBe('✓ T2  one\n\n1 done\n')
    expect(
      JSON.parse((await call(['ls', '--status', 'blocked', '--json'], { overrides: withBacklog })).stdout),
    ).toEqual([])
    expect((await call(['ls', '--status', 'done'])).stdout).toContain('T001')
    expect((await call(['ls', '--status', 'failed'])).stdout).toBe('No tasks.\n')
    expect(JSON.parse((await call(['ls', '--status', 'failed', '--json'])).stdout)).toEqual([])
    const message = `--status takes one of doing, todo, blocked, done, cancelled, not 'failed'`
    expect(await call(['ls', '--status', 'failed'], { overrides: withBacklog })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `looper: ${message}\n  Run \`looper ls --help\`.\n`,
    })
  })

  test('--backlog names the file', async () => {
    expect((await call(['ls', '--backlog', 'work/tasks.json'])).app?.asked.other).toEqual([
      ['backlog', 'work/tasks.json'],
    ])
  })
})

describe('validate (D10)', () => {
  const problems = [
    { kind: 'schema', path: 'tasks[0].title', line: 2, column: 5, message: 'tasks[0].title is missing' },
    {
      kind: 'missing-dependency',
      path: 'tasks[1].depends_on[0]',
      line: 3,
      column: 9,
      message: 'tasks[1].depends_on[0] names no task: "T\u001B[2J9"',
    },
  ]
  const wrong = (complete = true): Partial<RepositoryApp> => ({
    validateBacklog: async () => ({ file: 'to-do.json', tasks: 2, problems, warnings: [], complete }),
  })

  test('a valid one', async () => {
    expect(await call(['validate'])).toMatchObject({ code: 0, stdout: 'to-do.json is valid: 2 tasks\n', stderr: '' })
    expect(await call(['validate', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' })
    expect((await call(['validate', 'x.json'])).stdout).toBe('x.json is valid: 2 tasks\n')
  })

  test('one with problems: exit 2, and where they are', async () => {
    const lines = [
      'to-do.json:2:5: tasks[0].title is missing',
      'to-do.json:3:9: tasks[1].depends_on[0] names no task: "T9"',
      '\n2 problems',
    ].join('\n')
    expect(await call(['validate'], { overrides: wrong() })).toMatchObject({ code: 2, stdout: `${lines}\n` })
    expect(await call(['validate'], { overrides: wrong(false) })).toMatchObject({
      code: 2,
      stdout: `${lines}, perhaps more\n`,
    })
    const { code, stdout } = await call(['validate', '--json'], { overrides: wrong() })
    expect({ code, found: JSON.parse(stdout) as unknown }).toEqual({ code: 2, found: problems })
  })
})

describe('fmt (D10)', () => {
  const same: Partial<RepositoryApp> = {
    formatBacklog: async () => ({ file: 'to-do.json', text: '{}\n', changed: false, diff: '' }),
  }
  const diff = '--- a\n+++ a\n@@ -1 +1 @@\n-{ }\n+{}\n'

  test.each<[string[], number, string, boolean]>([
    [[], 0, '{}\n', false],
    [['-w'], 0, 'to-do.json formatted\n', true],
    [['--write', 'x.json'], 0, 'x.json formatted\n', true],
    [['--check'], 1, 'to-do.json is not formatted: run `looper fmt -w`\n', false],
    [['-d'], 0, diff, false],
    [['--check', '-d'], 1, diff, false],
    [['-w', '-d'], 0, diff, true],
  ])('%j of what is not formatted', async (flags, code, stdout, write) => {
    const called = await call(['fmt', ...flags])
    expect(called).toMatchObject({ code, stdout, stderr: '' })
    expect(called.app?.asked.other).toEqual([['fmt', write]])
  })

  test.each<[string[], string]>([
    [[], '{}\n'],
    [['-w'], 'to-do.json is formatted already\n'],
    [['--check'], ''],
    [['-d'], ''],
    [['--check', '-d'], ''],
  ])('%j of what is', async (flags, stdout) => {
    expect(await call(['fmt', ...flags], { overrides: same })).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  test('it writes or it checks', async () => {
    const stderr = 'looper: --check and --write cannot be used together\n  Give one of them.\n'
    expect(await call(['fmt', '-w', '--check'])).toMatchObject({ code: 2, stdout: '', stderr })
  })

  test('exact in a pipe, harmless on a terminal', async () => {
    const text = '{"a": "\u009B2J"}\n'
    const overrides: Partial<RepositoryApp> = {
      formatBacklog: async (_, { diff }) => ({ file: 'f', text, changed: true, diff: diff ? '-\u009B2J\n' : '' }),
    }
    expect((await call(['fmt'], { overrides })).stdout).toBe(text)
    for (const flags of [[], ['-d']]) {
      const { stdout } = await call(['fmt', ...flags, '--no-color'], { overrides, io: terminal({ tty: true }) })
      expect(stdout).not.toContain('\u009B')
    }
  })
})
