import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { completedRun } from '../../../../test/kit/runs.ts'
import { LooperError } from '../../../api/error.ts'

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
    let activity = false
    const shown = async (tty: boolean, ...argv: string[]): Promise<string> => {
      const io = terminal({ tty })
      const before = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve))
        io.tick()
      }
      return (await call(['run', 'do it', '--no-color', ...argv], { io, before, activity, log: turns.map(log) })).stdout
    }
    const live = await shown(true, '--activity')
    expect(live).toMatch(/\u001B\[2K {2}\S+ · \S+: Edit src\/list\.ts\n● /)
    // Each erases the line above the last one.
    const erased = live.replaceAll(/[^\n]*\n([^\n]*\r\u001B\[2K)\u001B\[1A\u001B\[2K/g, '$1')
    expect(screen(erased)).not.toContain('Edit src/list.ts')
    expect(await shown(true)).not.toContain('Edit src/list.ts')
    expect(await shown(false, '--activity')).not.toContain('Edit src/list.ts')
    activity = true
    expect(await shown(true)).toContain('Edit src/list.ts')
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
