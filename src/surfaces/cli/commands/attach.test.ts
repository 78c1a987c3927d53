import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { completedRun, failedRun, stoppedRun } from '../../../../test/kit/runs.ts'
import { initialState } from '../../../core/initial.ts'
import { encodeEvent } from '../../../journal/line.ts'

describe('C7: looper attach', () => {
  test('shows a run as `looper run` does, and exits as it does', async () => {
    const [ran, attached] = [await call(['run', 'do it']), await call(['attach'], { live: true })]
    const after = (text: string): string => text.slice(text.indexOf('▶'))
    expect(attached).toMatchObject({ code: 0, stderr: '' })
    expect(after(attached.stdout)).toBe(after(ran.stdout))
    expect(attached.stdout).toMatch(/^goal {4}do it\nrun {5}001-x/)
  })

  test.each([
    ['completed', completedRun(), 0],
    ['failed', failedRun(), 1],
    ['stopped', stoppedRun(), 130],
  ])('of one that %s says so', async (_, played, code) => {
    const attached = await call(['attach', '-q'], { played })
    expect(attached).toMatchObject({ code, stderr: '001-x is not under way: this is its last state\n' })
    expect(attached.stdout).toMatch(/^\nrun {5}001-x\nstate/)
  })

  test.each([
    ['SIGINT', true],
    ['SIGTERM', false],
  ] as const)('%s leaves it running', async (signal, tty) => {
    const io = terminal({ tty })
    const { code, stdout, stderr, app } = await call(['attach', '-n', '0'], {
      io,
      live: true,
      before: (event) => void (event.type === 'task.started' && io.send(signal)),
    })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'detached from 001-x, which keeps running: `looper attach 1` reattaches, `looper stop 1` stops it\n',
    })
    expect(stdout).not.toContain('completed')
    expect(app?.asked.told).toEqual([])
    expect(io.send(signal)).toBe(false)
  })

  test('--lines cuts what happened before, --json prints events', async () => {
    const played = completedRun()
    const { stdout } = await call(['attach', '-n', '2'], { live: true, played })
    const lines = stdout
      .slice(stdout.indexOf('\n\n') + 2)
      .split('\n\n')[0]
      ?.split('\n')
    expect(lines).toHaveLength(2)
    expect(lines?.[1]).toContain('goal verified')
    expect((await call(['attach', '--json'], { live: true, played })).stdout).toBe(
      played.events.map((event) => `${encodeEvent(event)}\n`).join(''),
    )
    expect(await call(['attach', '-n', 'few'])).toMatchObject({ code: 2 })
  })

  test('of one that never started there is nothing to show', async () => {
    const overrides = {
      readRun: async () => ({ state: initialState(), live: false, holder: null, dir: '/nowhere/002-y' }),
    }
    const { code, stdout, stderr } = await call(['attach'], { overrides })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('looper: 002-y never started.')
  })
})
