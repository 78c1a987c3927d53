import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../test/kit/cli.ts'
import { LooperError } from '../../api/error.ts'
import type { PreparedRun } from '../../api/runs.ts'

const limits = { limits: {}, apply: false }
const session = (name: string, pipeline: string) => ({
  do: 'run',
  request: { goal: '', session: name, pipeline: { name: pipeline, runs: null }, force: false, flags: {}, apply: false },
})

describe('C7: a run that is left to a process of its own', () => {
  test.each([
    [['run', 'do it', '-d'], { do: 'run', request: { goal: 'do it', flags: {}, apply: false } }, null],
    [['-d', 'do it'], { do: 'run', request: { goal: 'do it', flags: {}, apply: false } }, null],
    [['resume', '--detach'], { do: 'resume', run: '001-x', options: limits }, null],
    [['work', '-d'], session('work', 'work'), 'work'],
    [['refine', 'quick', '-d'], session('refine', 'quick-refine'), 'refine'],
    [['ideate', '-d'], session('ideate', 'idea-wizard'), 'ideate'],
    [['pipeline', 'run', 'polish', 'auth', '-d'], session('auth', 'polish'), 'auth'],
    [['pipeline', 'run', 'polish', 'auth', '-d', '--resume'], { do: 'resume', run: '001-x', options: limits }, 'auth'],
  ])('looper %j', async (argv, what, name) => {
    const { code, stdout, stderr, app } = await call(argv)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(app?.asked.other.at(-1)).toEqual(['detach', what, { tmux: false, session: name }])
    expect(stdout).toMatch(
      /^goal[^]*\n001-x is under way in the background \(pid 7\)\n[^]*looper attach 1[^]*looper stop 1/,
    )
  })

  test('for programs: its id, or all there is to know', async () => {
    expect((await call(['run', 'do it', '-d', '-q'])).stdout).toBe('001-x\n')
    expect(JSON.parse((await call(['run', 'do it', '-d', '--json'])).stdout)).toEqual({
      run: '001-x',
      pid: 7,
      log: '/nowhere/.looper/runs/001-x/console.log',
      tmux: null,
    })
  })

  test('in tmux it says how to go there', async () => {
    expect((await call(['work', 'auth', '--tmux'])).stdout).toContain(
      'in the tmux session looper-auth\n\nnext\n  tmux attach -t looper-auth',
    )
  })

  test('a refusal prints its reason and nothing else', async () => {
    const detach = async (): Promise<never> => {
      throw new LooperError('LIMIT_LOCKED', 'The run 001-x holds the session "auth".')
    }
    const { code, stdout, stderr } = await call(['work', 'auth', '-d'], { overrides: { detach } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^looper: The run 001-x holds the session "auth"\.\n/)
  })

  test('a dry run stays here', async () => {
    expect((await call(['run', 'do it', '-d', '--dry-run'])).app?.asked.other).toEqual([])
  })
})

describe('C7: inside an agent', () => {
  const inside = (): ReturnType<typeof terminal> => terminal({ env: { LOOPER_INSIDE: '1' } })
  test.each([
    [['run', 'do it']],
    [['resume']],
    [['work']],
    [['refine']],
    [['ideate']],
    [['pipeline', 'run', 'polish']],
    [['run', 'do it', '-d']],
    [['run', '--detached-job', '/tmp/s']],
  ])('looper %j is refused in one line', async (argv) => {
    const { code, stdout, stderr, app } = await call(argv, { io: inside() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^looper: [^\n]+\n {2}[^\n]+\n$/)
    expect(app?.asked).toMatchObject({ run: [], resume: [], other: [] })
  })

  test.each([[['status']], [['ls']], [['runs']], [['tail']], [['report']], [['run', 'do it', '--dry-run']]])(
    'looper %j works',
    async (argv) => {
      expect(await call(argv, { io: inside() })).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

describe('C6: --force, where a live run is in the way', () => {
  const stops = ['001-backlog', '002-auth']
  const on = async (argv: string[], io: ReturnType<typeof terminal>) => {
    const { app } = await call(['status'])
    const prepared = await app?.prepareRun({ goal: '', flags: {}, apply: false })
    if (!prepared) throw new Error('nothing is prepared')
    const started: string[] = []
    const start: typeof prepared.start = (observer) => {
      started.push('started')
      return prepared.start(observer)
    }
    return {
      ...(await call(argv, { io, overrides: { prepareRun: async () => ({ ...prepared, stops, start }) } })),
      started,
    }
  }

  test.each([
    ['y\n', 0, ['started']],
    ['n\n', 1, []],
    ['', 1, []],
  ])('a person is asked, and says %j', async (stdin, code, started) => {
    for (const command of [
      ['run', '--force'],
      ['work', '--force'],
    ]) {
      const called = await on(command, terminal({ tty: true, stdin }))
      expect(called).toMatchObject({ code, started })
      expect(called.stderr).toContain('Stop 001-backlog and 002-auth, which are under way? [y/N]')
      if (code === 1) expect(called.stderr).toContain('Nothing was stopped.')
    }
  })

  test.each([
    ['without a terminal', ['run', '--force'], false],
    ['with --yes', ['run', '--force', '--yes'], true],
    ['with -y', ['work', '--force', '-y'], true],
  ])('no question is asked %s', async (_, argv, tty) => {
    const called = await on(argv, terminal({ tty, stdin: 'n\n' }))
    expect(called).toMatchObject({ code: 0, started: ['started'] })
    expect(called.stderr).not.toContain('[y/N]')
  })

  test('a run that goes away is asked about here, too', async () => {
    expect(await on(['run', '--force', '-d'], terminal({ tty: true, stdin: 'n\n' }))).toMatchObject({
      code: 1,
      started: [],
      app: { asked: { other: [] } },
    })
  })

  test('it is a part of what is asked for', async () => {
    expect((await call(['run', 'do it', '--force'])).app?.asked.run).toEqual([
      { goal: 'do it', force: true, flags: {}, apply: false },
    ])
  })
})

describe('what is printed before a run', () => {
  const prepared = async (more: Partial<PreparedRun>): Promise<PreparedRun> => {
    const { app } = await call(['status'])
    if (!app) throw new Error('there is no app')
    return { ...(await app.prepareRun({ goal: 'do it', flags: {}, apply: false })), ...more }
  }

  test('a resume with the settings that the run had: one line; with others: the whole card', async () => {
    for (const argv of [['resume'], ['resume', '-d']]) {
      const resume = async (isContinued: boolean): Promise<string> => {
        const run = await prepared({ isContinued })
        return (await call(argv, { overrides: { prepareResume: async () => run } })).stdout
      }
      expect(await resume(true)).toMatch(/^goal .*\n\n/)
      expect(await resume(false)).toMatch(/^goal .*\nrun [^]*\nrights /)
    }
  })

  test("a note on the person's own choice is no warning", async () => {
    const run = await prepared({ notes: ['settings as they are now: checks'], warnings: ['look out'] })
    const { stderr } = await call(['resume'], { overrides: { prepareResume: async () => run } })
    expect(stderr).toBe('! look out\n· settings as they are now: checks\n')
  })

  test('who has just agreed does not read the rights twice', async () => {
    let agreed = 0
    const agree = async (): Promise<void> => void agreed++
    const run = await prepared({ consent: { why: 'first', added: [], agree } })
    const overrides = { prepareRun: async () => run }
    const asked = await call(['run', 'do it', '--no-color'], { overrides, io: terminal({ tty: true, stdin: 'y\n' }) })
    expect([agreed, asked.stderr.match(/^rights /gm)?.length, asked.stdout.match(/^rights /gm)]).toEqual([1, 1, null])
    const silent = await call(['run', 'do it', '--yes', '--no-color'], { overrides, io: terminal({ tty: true }) })
    expect([agreed, silent.stderr, silent.stdout.match(/^rights /gm)?.length]).toEqual([1, '', 1])
  })
})
