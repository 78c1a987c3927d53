import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeEvent } from '../../../journal/line.ts'
import { LooperError } from '../../../api/error.ts'
import { call, terminal } from '../../../../test/kit/cli.ts'
import {
  abortedRun,
  brokenOffRun,
  completedRun,
  failedRun,
  hostileRun,
  limitedRun,
  stoppedRun,
  unverifiedRun,
} from '../../../../test/kit/runs.ts'

describe('what a person sees', () => {
  test('the card, calm lines, the summary', async () => {
    const { code, stdout, stderr, app } = await call(['run', 'do it'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(app?.asked.run).toEqual([{ goal: 'do it', flags: {}, apply: false }])
    expect(stdout).toMatch(/^goal {4}do it\n[^]*rights {2}agents run any command[^]*\n\n▶ 001-x/)
    expect(stdout).toMatch(/● T001 T001 · attempt 1[^]*✓ T001 done · 1 check green/)
    expect(stdout).toMatch(/\n\nrun {5}001-x\nstate {3}completed\ntasks {3}2 of 2 done\n/)
    expect(stdout).toMatch(/\nproof {3}2 tasks verified \(test\)\nspent {3}9 turns · 25 s\n/)
    expect(stdout).toMatch(/\nnext\n {2}looper report 1[^]*looper apply 1[^]*looper discard 1 .*\n$/)
    expect(stdout.match(/completed/g)).toHaveLength(1)
  })

  test('--quiet leaves the summary', async () => {
    const { stdout } = await call(['run', 'do it', '-q'])
    expect(stdout).toMatch(/^\nrun {5}001-x\n/)
    expect(stdout).not.toContain('▶')
  })

  test('--dry-run stops at the card, for people and for programs', async () => {
    const started = {
      before: () => {
        throw new Error('the run was started')
      },
    }
    const dry = await call(['run', 'do it', '--dry-run'], started)
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(/^goal {4}do it\n[^]*rights .*\n$/)
    const json = await call(['run', 'do it', '--dry-run', '--json'], started)
    expect(JSON.parse(json.stdout)).toMatchObject({ goal: 'do it', checks: { list: [{ name: 'test' }] } })
  })

  test('warnings go to stderr, harmless', async () => {
    const { stdout, stderr } = await call(['run', 'do it'], { warnings: ['LOOPER_PARALEL is\u001B[2J unknown'] })
    expect(stderr).toBe('! LOOPER_PARALEL is unknown\n')
    expect(stdout).not.toContain('PARALEL')
  })

  test('unverified work is called so', async () => {
    const { stdout } = await call(['run', 'do it'], { played: unverifiedRun() })
    expect(stdout).toContain('checks  none: everything will be unverified')
    expect(stdout).toMatch(/\nstate {3}completed · unverified\n/)
    expect(stdout).toMatch(/\nproof {3}2 tasks unverified\n/)
  })

  test('a pause shows why and what to do', async () => {
    const { stdout } = await call(['run', 'do it'], { played: limitedRun() })
    expect(stdout).toMatch(/\nstate {3}paused · .*turn.*\n/)
    expect(stdout).toContain('looper resume 1')
  })

  test('the report is named where it is, near if it can be', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'looper-run-'))
    const dir = join(folder, '.looper', 'runs', '001-x')
    const place = async (cwd: string): Promise<string | undefined> =>
      (await call(['run', 'do it', '-q'], { dir, io: terminal({ cwd }) })).stdout
        .match(/\n(report|folder) {2}(.*)\n/)
        ?.slice(1)
        .join(' ')
    try {
      mkdirSync(dir, { recursive: true })
      expect(await place(folder)).toBe('folder .looper/runs/001-x')
      writeFileSync(join(dir, 'report.md'), '')
      expect(await place(folder)).toBe('report .looper/runs/001-x/report.md')
      expect(await place('/nowhere')).toBe(`report ${dir}/report.md`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('--apply: shows the result, and no hint to apply', async () => {
    const { code, stdout, app } = await call(['run', 'do it', '--apply'], {
      applied: { ok: true, message: 'merged into main' },
    })
    expect(code).toBe(0)
    expect(app?.asked.run[0]?.apply).toBe(true)
    expect(stdout).toContain('applied yes: merged into main\n')
    expect(stdout).not.toMatch(/looper (?:apply|discard) 001-x/)
  })
})

describe('exit codes show how the run ended', () => {
  test.each([
    ['completed', completedRun, 0],
    ['failed', failedRun, 1],
    ['aborted', abortedRun, 1],
    ['paused by a limit', limitedRun, 3],
    ['paused by the user', stoppedRun, 130],
    ['broken off', brokenOffRun, 130],
  ])('%s', async (_name, played, code) => {
    for (const argv of [
      ['run', 'do it'],
      ['run', 'do it', '--json'],
      ['do it', '-q'],
      ['resume'],
      ['demo'],
      ['demo', '--json'],
    ]) {
      expect(await call(argv, { played: played() })).toMatchObject({ code })
    }
  })

  test('completed, but --apply failed', async () => {
    const applied = { ok: false, message: 'your branch has moved' }
    const { code, stdout } = await call(['run', 'do it', '--apply'], { applied })
    expect(code).toBe(1)
    expect(stdout).toContain('applied no: your branch has moved\n')
    expect(await call(['run', 'do it', '--apply'], { applied, played: limitedRun() })).toMatchObject({ code: 3 })
  })

  test('an error in the middle', async () => {
    const before = (event: { seq: number }): void => {
      if (event.seq === 5) throw new LooperError('ENVIRONMENT_DISK_FULL', 'no space left')
    }
    const { code, stderr } = await call(['run', 'do it'], { before })
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^looper: no space left\n {2}Free some space/),
    })
  })
})

test('--json prints exactly the events, each on a line, and nothing else', async () => {
  const played = hostileRun()
  const { stdout, stderr } = await call(['run', 'do it', '--json'], { played, io: terminal({ tty: true }) })
  expect(stdout.trimEnd().split('\n')).toEqual(played.events.map(encodeEvent))
  expect(stderr).toBe('')
})

test('no control character of an agent reaches the terminal', async () => {
  const { stdout } = await call(['run', 'do it', '--no-color'], { played: hostileRun() })
  expect(stdout).toContain('T001 nice FAKE ✓ done')
  // eslint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
  expect(stdout).not.toMatch(/^FAKE/m)
})

describe('the live line', () => {
  /** What a terminal would show: applies `\r` and erase-line. */
  const screen = (text: string): string => text.replaceAll(/[^\n]*\r\u001B\[2K/g, '')

  test('is there on a terminal, fits, and is gone in the end', async () => {
    const io = terminal({ tty: true, columns: 40 })
    const { stdout } = await call(['run', 'do it', '--no-color'], { io, before: () => io.tick() })
    const drawn = stdout.match(/\r\u001B\[2K(● [^\r\n]*)/g) ?? []
    expect(drawn.length).toBeGreaterThan(5)
    for (const line of drawn) expect(line.length - '\r\u001B[2K'.length).toBeLessThan(40)
    expect(screen(stdout)).toContain('\nrights  agents run any command with your\n        rights, ')
    const words = (text: string): string => text.replace(/\s+/g, ' ')
    expect(words(screen(stdout))).toBe(words((await call(['run', 'do it'])).stdout))
    const long = screen(stdout)
      .split('\n')
      .filter((line) => line.length > 40 && line.trim().includes(' '))
    expect(long).toEqual([])
  })

  test('--activity shows what each agent did last, on a terminal only', async () => {
    const { events } = completedRun()
    const turns = events.flatMap((event) =>
      event.type === 'work.started' && event.work.kind === 'turn' ? [event.work.id] : [],
    )
    const log = (turn: string) =>
      ({
        type: 'tool_use',
        name: 'Edit',
        input: { path: 'src/list.ts' },
        timestamp: '2026-01-01T00:00:00.000Z',
        run: '001-x',
        task: null,
        turn,
        role: 'planner',
        agent: 'claude',
      }) as const
    const shown = async (tty: boolean, ...argv: string[]): Promise<string> => {
      const io = terminal({ tty })
      const before = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve))
        io.tick()
      }
      return (await call(['run', 'do it', '--no-color', ...argv], { io, before, log: turns.map(log) })).stdout
    }
    const live = await shown(true, '--activity')
    expect(live).toMatch(/\u001B\[2K {2}\S+ · \S+: Edit src\/list\.ts\n● /)
    // Each erases the line above the last one.
    const erased = live.replaceAll(/[^\n]*\n([^\n]*\r\u001B\[2K)\u001B\[1A\u001B\[2K/g, '$1')
    expect(screen(erased)).not.toContain('Edit src/list.ts')
    expect(await shown(true)).not.toContain('Edit src/list.ts')
    expect(await shown(false, '--activity')).not.toContain('Edit src/list.ts')
  })

  test.each([
    ['in a pipe', terminal({ tty: false }), []],
    ['on a dumb terminal', terminal({ tty: true, env: { TERM: 'dumb' } }), []],
    ['when quiet', terminal({ tty: true }), ['--quiet', '--no-color']],
    ['for programs', terminal({ tty: true }), ['--json']],
  ])('is not there %s', async (_name, io, argv) => {
    expect((await call(['run', 'do it', ...argv], { io, before: () => io.tick() })).stdout).not.toMatch(/\r|\u001B/)
  })

  test('is erased before an error is printed', async () => {
    const io = terminal({ tty: true })
    const before = (event: { seq: number }): void => {
      io.tick()
      if (event.seq === 5) throw new LooperError('ENVIRONMENT_DISK_FULL', 'no space left')
    }
    expect((await call(['run', 'do it'], { io, before })).stdout).toMatch(/\r\u001B\[2K$/)
  })
})

describe('signals', () => {
  const interrupted = (at: number[], signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') => {
    const io = terminal()
    const handled: boolean[] = []
    return {
      io,
      handled,
      before: ({ seq }: { seq: number }) => {
        if (at.includes(seq)) handled.push(io.send(signal))
      },
    }
  }

  test.each(['SIGINT', 'SIGTERM'] as const)('the first %s stops gracefully', async (signal) => {
    const { stdout, app } = await call(['run', 'do it'], interrupted([4], signal))
    expect(app?.asked.stops).toEqual(['stop'])
    expect(stdout).toContain('\nstopping… (again to stop now)\n')
  })

  test('the second stops now, and the third is left to the process', async () => {
    const signals = interrupted([4, 6, 8])
    const { app } = await call(['run', 'do it'], signals)
    expect(app?.asked.stops).toEqual(['stop', 'now'])
    expect(signals.handled).toEqual([true, true, false])
  })

  test('one that comes before the run can be stopped is not lost', async () => {
    expect((await call(['run', 'do it'], interrupted([1]))).app?.asked.stops).toEqual(['stop'])
  })

  test('for programs the words go to stderr', async () => {
    const { stdout, stderr } = await call(['run', 'do it', '--json'], interrupted([4]))
    expect(stderr).toBe('stopping… (again to stop now)\n')
    expect(stdout).not.toContain('stopping')
  })

  test('one that comes with the card, before anything has begun, is not lost', async () => {
    const io = terminal()
    const { stdout } = io
    let words = 0
    let handled = false
    const write = (text: string): void => {
      stdout.write(text)
      if (++words === 1) handled = io.send('SIGINT')
    }
    const { app } = await call(['run', 'do it'], {
      io: Object.assign(io, { stdout: { on: stdout.on.bind(stdout), write } }),
    })
    expect(handled).toBe(true)
    expect(app?.asked.stops).toEqual(['stop'])
  })

  test('no handler is left once the run is over', async () => {
    const signals = interrupted([])
    await call(['run', 'do it'], signals)
    expect([signals.io.send('SIGINT'), signals.io.send('SIGTERM')]).toEqual([false, false])
  })
})

test('a reader that goes away does not end the run', async () => {
  const io = terminal()
  let last = 0
  const before = ({ seq }: { seq: number }): void => {
    last = seq
    if (seq === 3)
      (io.stdout as unknown as NodeJS.EventEmitter).emit(
        'error',
        Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
      )
  }
  const played = completedRun()
  const { code, stdout } = await call(['run', 'do it'], { io, before, played })
  expect({ code, last }).toEqual({ code: 0, last: played.events.length })
  expect(stdout).not.toContain('planning')
})

test('demo: says where, and shows the rest like a run', async () => {
  const { stdout } = await call(['demo'])
  expect(stdout).toMatch(/^A demo in \/tmp\/demo\. [^]*✓ T001 done[^]*state {3}completed/)
  expect(stdout).toMatch(/To look around: cd \/tmp\/demo\n$/)
})

test('resume: A9 an unknown run is refused', async () => {
  expect(await call(['resume', '999'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('there is no run "999"'),
  })
})
