import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LooperError } from '../../api/error.ts'
import { catalog } from './catalog.ts'
import { call, terminal } from '../../../test/kit/cli.ts'

describe('help', () => {
  test('the main help', async () => {
    const { code, stdout, stderr } = await call(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchSnapshot()
  })

  test.each([[[]], [['help']], [['-h']], [['--debug']]])('looper %j prints it too', async (argv) => {
    expect(await call(argv)).toMatchObject({ code: 0, stdout: (await call(['--help'])).stdout, app: null })
  })

  test.each(catalog.map(({ name }) => name))(
    'looper %s --help has usage and examples, and asks nothing of Looper',
    async (name) => {
      const { code, stdout, stderr, app } = await call([...name.split(' '), '--help'])
      expect({ code, stderr, app }).toEqual({ code: 0, stderr: '', app: null })
      expect(stdout).toContain(`Usage: looper ${name} `)
      expect(stdout).toMatch(/\nExamples:\n {2}\S/)
    },
  )

  test('looper help status is looper status --help', async () => {
    expect((await call(['help', 'status'])).stdout).toBe((await call(['status', '--help'])).stdout)
    expect((await call(['help', 'task', 'add'])).stdout).toBe((await call(['task', 'add', '-h'])).stdout)
  })

  test('looper task --help lists its commands', async () => {
    const { code, stdout } = await call(['task', '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/task add .*\n.*task retry .*\n.*task skip /)
  })
})

test.each([[['version']], [['--version']], [['-V']], [['-C', '/', '--version']]])(
  'looper %j prints the version',
  async (argv) => {
    expect(await call(argv)).toMatchObject({ code: 0, stdout: '1.2.3\n', stderr: '' })
  },
)

describe('wrong usage: exit 2, one line and a hint, nothing on stdout, no run', () => {
  test.each([
    [['statsu'], `unknown command 'statsu'`, 'Did you mean status?'],
    [
      ['frobnicate'],
      `unknown command 'frobnicate'`,
      'If that is a goal: looper run "frobnicate". Otherwise run `looper --help`.',
    ],
    [
      ['add', 'auth'],
      `unknown command 'add'`,
      'If that is a goal: looper run "add auth". Otherwise run `looper --help`.',
    ],
    [['help', 'statsu'], `unknown command 'statsu'`, 'Did you mean status?'],
    [['--json', 'status'], `the command 'status' comes before its options`, 'Run `looper status --help`.'],
    [['status', '--jsn'], `unknown option '--jsn'`, 'Did you mean --json?'],
    [['--bogus'], `unknown option '--bogus'`, 'Run `looper run --help`.'],
    [
      ['run', 'a', 'b'],
      'too many arguments. Expected 1 argument but got 2.',
      'Put the goal in quotes: looper "what you want".',
    ],
    [['status', 'a', 'b'], 'too many arguments. Expected 1 argument but got 2.', 'Run `looper status --help`.'],
    [['answer', 'Q1'], 'the answer to Q1 is missing', '`looper status 1` shows the open questions.'],
    [['run', 'x y', '--goal-file'], `option '--goal-file <path>' argument missing`, 'Run `looper run --help`.'],
    [['task'], 'task needs a command: add, retry, skip', 'Run `looper task --help`.'],
    [['task', 'ad'], `unknown command 'task ad'`, 'Did you mean task add?'],
    [['task', 'zzz'], `unknown command 'task zzz'`, 'Run `looper task --help`.'],
    [['-C', '/no/such/folder', 'status'], '-C: there is no folder /no/such/folder', 'Name a folder that exists.'],
    [['status', '-C'], `option '-C <dir>' argument missing`, 'Run `looper status --help`.'],
    [['tail', '-n', '-3'], `--lines takes a whole number, not '-3'`, 'Run `looper tail --help`.'],
    [['stat\u001B[31mus', '--x\u001B[2J'], `unknown option '--x'`, 'Run `looper run --help`.'],
  ])('looper %j', async (argv, message, hint) => {
    const { code, stdout, stderr, app } = await call(argv)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `looper: ${message}\n  ${hint}\n` })
    expect(app?.asked.run ?? []).toEqual([])
  })
})

describe('errors', () => {
  const failing = (error: unknown) => {
    const fail = async (): Promise<never> => {
      throw error
    }
    return { overrides: { readRun: fail, prepareRun: fail } }
  }

  test.each([
    [new LooperError('USAGE_NO_RUN', 'there is no run 7'), 2],
    [new LooperError('ENVIRONMENT_DISK_FULL', 'no space left'), 3],
    [new LooperError('JOURNAL_DAMAGED', 'event 12 is damaged'), 1],
  ])('%s', async (error, exit) => {
    for (const argv of [['status'], ['status', '--json'], ['run', 'do it', '--json']]) {
      const { code, stdout, stderr } = await call(argv, failing(error))
      expect({ code, stdout, stderr }).toEqual({
        code: exit,
        stdout: '',
        stderr: `looper: ${error.message}\n  ${error.hint}\n`,
      })
    }
  })

  test('an unexpected error is one line and a hint', async () => {
    const { code, stdout, stderr } = await call(['status'], failing(new TypeError('x is not a function')))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^looper: internal error: x is not a function\n {2}Please report .*\n$/)
  })

  test('--debug adds the stack, with its causes', async () => {
    const error = new LooperError('BUG_INVARIANT', 'outer', { cause: new TypeError('inner') })
    const { stderr } = await call(['status', '--debug'], failing(error))
    expect(stderr).toMatch(/LooperError: outer\n +at [^]*caused by TypeError: inner\n +at /)
    expect((await call(['status'], failing(error))).stderr).not.toContain(' at ')
  })

  test('no control character of a message reaches the terminal', async () => {
    const error = new LooperError('WORKSPACE_GIT', 'bad\u001B[2J\r\nfake', { hint: 'do\u0007 it' })
    const { stderr } = await call(['status', '--debug'], failing(error))
    expect(stderr).toMatch(/^looper: bad fake\n {2}do it\n/)
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/)
  })
})

describe('-C', () => {
  test('names the folder Looper works in, before or after the command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'looper-cli-'))
    try {
      const ways = [
        ['-C', folder, 'status'],
        ['status', '-C', folder],
        [`-C${folder}`, 'status'],
        ['status', '--no-color', '-C', folder],
      ]
      for (const argv of ways) {
        expect((await call(argv)).app?.asked.cwd).toBe(folder)
      }
      const io = terminal({ cwd: folder })
      expect((await call(['-C', '..', 'status'], { io })).app?.asked.cwd).toBe(join(folder, '..'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('without it Looper works in the current folder', async () => {
    expect((await call(['status'])).app?.asked.cwd).toBe('/nowhere')
  })
})

describe('color', () => {
  const colored = async (argv: string[], env: Record<string, string>, tty = true): Promise<boolean> =>
    (await call(argv, { io: terminal({ tty, env }) })).stdout.includes('\u001B[')

  test.each([
    ['on a terminal', ['status'], {}, true, true],
    ['not in a pipe', ['status'], {}, false, false],
    ['not with NO_COLOR', ['status'], { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR is none', ['status'], { NO_COLOR: '' }, true, true],
    ['not with --no-color', ['status', '--no-color'], {}, true, false],
    ['not with --no-color in front', ['--no-color', 'status'], {}, true, false],
    ['not on a dumb terminal', ['status'], { TERM: 'dumb' }, true, false],
  ])('%s', async (_name, argv, env, tty, expected) => {
    expect(await colored(argv, env as Record<string, string>, tty)).toBe(expected)
  })
})
