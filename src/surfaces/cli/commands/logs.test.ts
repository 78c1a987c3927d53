import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { completedRun } from '../../../../test/kit/runs.ts'
import type { LogEvent } from '../../../api/nouns.ts'
import type { RepositoryApp } from '../../../api/app.ts'

const origin = { run: '001-x', task: 'T001', turn: 'T001/a1/implement', role: 'coder', agent: 'claude' } as const
const log: LogEvent[] = [
  { type: 'message', timestamp: '2026-01-01T00:00:05.000Z', content: 'hello \u001B[2J', ...origin },
  { type: 'command', timestamp: '2026-01-01T00:00:06.000Z', command: 'ls', exitCode: 0, ...origin },
]
const whole = { run: null, follow: false, last: null, task: null, types: null }

describe('D8: logs', () => {
  test('for people', async () => {
    const { code, stdout, stderr, app } = await call(['logs'], { log })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '── T001 · coder · claude · T001/a1/implement\n00:00:05 UTC hello\n00:00:06 UTC $ ls → 0\n',
      stderr: '',
    })
    expect(app?.asked.events).toEqual([whole])
  })

  test('--json: one object a line, with its type and its time first', async () => {
    const { stdout } = await call(['logs', '--json'], { log })
    const [first = '', ...rest] = stdout.split(/^/m)
    expect(first).toMatch(
      /^\{"type":"message","timestamp":"2026-01-01T00:00:05.000Z","content":"hello \\u001b\[2J","run":"001-x",.*\}\n$/,
    )
    expect(rest.join('')).toMatch(/^\{"type":"command",.*\}\n$/)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(log)
  })

  test.each([
    [
      ['logs', '1', '-f', '-n', '7', '--task', 'T002', '--type', 'message, error'],
      { run: '1', follow: true, last: 7, task: 'T002', types: ['message', 'error'] },
    ],
    [['tail', '--type', 'command'], { ...whole, last: 20, types: ['command'] }],
    [
      ['tail', '-f', '-n', 'all', '--type', 'summary,tool_use', '--task', 'T001'],
      { ...whole, follow: true, task: 'T001', types: ['tool_use', 'summary'] },
    ],
  ])('looper %j', async (argv, request) => {
    expect((await call(argv, { log })).app?.asked.events).toEqual([request])
  })

  test.each([
    [['logs', '--type', 'mesage'], "--type: there is no type 'mesage'", 'Did you mean message?'],
    [['tail', '--type', 'task.finishd'], "--type: there is no type 'task.finishd'", 'Did you mean task.finished?'],
    [
      ['tail', '--type', ''],
      "--type: there is no type ''",
      'There are message, tool_use, command, error, summary of the log,'
        + ' and those of the journal, such as task.finished.',
    ],
    [
      ['tail', '--type', 'message,task.finished'],
      '--type takes types of the log or of the journal, not both: message, task.finished',
      'Run `looper tail --help`.',
    ],
    [
      ['logs', '--type', 'task.finished'],
      'task.finished is a type of the journal, not of the log',
      '`looper tail --type task.finished` shows it.',
    ],
    [['logs', '-n', 'x'], "--lines takes a whole number, not 'x'", 'Run `looper logs --help`.'],
    [['logs', '7'], 'there is no run "7"', '`looper runs` lists the runs of this repository.'],
  ])('looper %j: exit 2', async (argv, message, hint) => {
    const { code, stdout, stderr } = await call(argv, { log })
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `looper: ${message}\n  ${hint}\n` })
  })

  const quiet: Partial<RepositoryApp> = {
    async *logs(_run, { signal }) {
      yield log[0]!
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
  }

  test.each(['SIGINT', 'SIGTERM'] as const)('%s while following: exit 130', async (signal) => {
    const io = terminal()
    const called = call(['logs', '-f'], { io, overrides: quiet })
    while (!io.text('stdout').includes('hello')) await new Promise((resolve) => setImmediate(resolve))
    expect(io.send(signal)).toBe(true)
    expect((await called).code).toBe(130)
  })

  test('ends when the reader is gone', async () => {
    const io = terminal()
    const called = call(['logs', '-f'], { io, overrides: quiet })
    while (!io.text('stdout').includes('hello')) await new Promise((resolve) => setImmediate(resolve))
    ;(io.stdout as unknown as NodeJS.EventEmitter).emit('error', new Error('write EPIPE'))
    expect((await called).code).toBe(0)
  })
})

describe('D8: tail chooses from the journal', () => {
  const played = completedRun()
  const events = async (...argv: string[]): Promise<{ type: string; task?: unknown }[]> => {
    const { code, stdout } = await call(['tail', '--json', ...argv], { played })
    expect(code).toBe(0)
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string })
  }

  test('by type, by task, by both; -n counts what was chosen', async () => {
    const finished = await events('-n', 'all', '--type', 'task.finished')
    expect(finished.map(({ type, task }) => [type, task])).toEqual([
      ['task.finished', 'T001'],
      ['task.finished', 'T002'],
    ])
    expect(await events('-n', '1', '--type', 'task.finished')).toEqual(finished.slice(-1))
    expect(await events('-n', 'all', '--type', 'task.finished', '--task', 'T001')).toEqual(finished.slice(0, 1))
    const first = await events('-n', 'all', '--task', 'T001')
    expect(new Set(first.map(({ type }) => type))).toEqual(
      new Set([
        'task.added',
        'task.started',
        'work.started',
        'work.finished',
        'check.finished',
        'verdict.given',
        'task.finished',
        'wave.closed',
      ]),
    )
    expect(JSON.stringify(first)).not.toContain('"T002/')
  })

  test('for people; what usually has no line is shown when it is asked for', async () => {
    expect((await call(['tail', '--task', 'T002', '--type', 'task.started'], { played })).stdout).toMatch(
      /^\d\d:\d\d:\d\d UTC ● T002 .*\n$/,
    )
    expect((await call(['tail', '--type', 'wave.closed', '-n', '1'], { played })).stdout).toMatch(
      /^\d\d:\d\d:\d\d UTC · wave\.closed \{"wave":2,"tasks":\["T002"\],"health":"PROGRESSING",.*\n$/,
    )
  })

  test('an unknown task: exit 2; one that is followed may come later', async () => {
    const refusal = {
      code: 2,
      stdout: '',
      stderr: 'looper: 001-x has no task "T9".\n  `looper ls 1` lists its tasks.\n',
    }
    expect(await call(['tail', '--task', 'T9'], { played })).toMatchObject(refusal)
    expect(await call(['tail', '--task', 'T9', '-f'], { played })).toMatchObject({ code: 0, stdout: '' })
  })
})
