import { describe, expect, test } from 'vitest'
import { encodeEvent } from '../../../journal/line.ts'
import type { RepositoryApp } from '../../../api/app.ts'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { completedRun, limitedRun } from '../../../../test/kit/runs.ts'

const times = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => /^\d\d:\d\d:\d\d UTC /.test(line))

describe('tail for people', () => {
  test('shows the last lines with their times', async () => {
    const all = times((await call(['tail', '-n', 'all'])).stdout)
    expect(all.length).toBeGreaterThan(10)
    expect(all[0]).toMatch(/^00:00:00 UTC ▶ 001-x/)
    expect(all.at(-1)).toMatch(/^00:00:25 UTC ✓ completed/)
    expect(times((await call(['tail', '-n', '3'])).stdout)).toEqual(all.slice(-3))
    expect(times((await call(['tail'])).stdout)).toEqual(all.slice(-20))
    expect((await call(['tail', '-n', '0'])).stdout).toBe('')
  })

  test('of a long run only the newest events become lines, unless these have too few', async () => {
    const played = limitedRun()
    for (let turns = 1; turns <= 500; turns++) played.record({ type: 'limits.changed', limits: { turns } })
    const newest = played.events.length
    const few = await call(['tail', '-n', '3'], { played })
    expect(times(few.stdout).map((line) => line.slice(13))).toEqual(
      [498, 499, 500].map((n) => `· changed: turn limit ${n}`),
    )
    expect(few.app?.asked.events).toEqual([{ run: '001-x', after: newest - 128, until: 'rest' }])

    for (let n = 0; n < 500; n++) played.record({ type: 'work.lost', id: 'limit/time', why: 'cancelled' })
    const none = await call(['tail', '-n', '3'], { played })
    expect(none.stdout).toBe(few.stdout)
    expect(none.app?.asked.events).toMatchObject([{ after: newest + 500 - 128 }, { after: 0 }])
  })

  test('-f follows new events', async () => {
    const before = limitedRun()
    const seen = before.events.length
    const played = before.resume({ turns: null })
    const overrides: Partial<RepositoryApp> = {
      readRun: async () => ({ state: { ...played.state, seq: seen }, live: true, holder: null, dir: '' }),
    }
    const { stdout, app } = await call(['tail', '-f', '-n', '2'], { played, overrides })
    expect(app?.asked.events).toEqual([{ run: '001-x', after: 0, until: 'end' }])
    const lines = times(stdout)
    expect(lines.findIndex((line) => line.includes('▶ 001-x resumed'))).toBe(2)
    expect(lines.at(-1)).toMatch(/completed/)
  })
})

describe('tail --json', () => {
  test('prints events as the journal has them', async () => {
    const played = completedRun()
    const lines = async (...argv: string[]): Promise<string[]> =>
      (await call(['tail', '--json', ...argv], { played })).stdout.trimEnd().split('\n')
    const written = played.events.map(encodeEvent)
    expect(await lines('-n', 'all')).toEqual(written)
    expect(await lines('-n', '2')).toEqual(written.slice(-2))
    expect(await lines()).toEqual(written.slice(-20))
  })
})

describe('following ends', () => {
  /** Yields one event, then waits like a quiet run does. */
  const quiet = (): Partial<RepositoryApp> => ({
    async *follow(_run, { signal } = {}) {
      yield { event: completedRun().events[0]!, state: limitedRun().state }
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
    },
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('with %s: exit 130', async (signal) => {
    const io = terminal()
    const called = call(['tail', '-f', '--json'], { io, overrides: quiet() })
    while (!io.text('stdout').includes('run.started')) await new Promise((resolve) => setImmediate(resolve))
    expect(io.send(signal)).toBe(true)
    expect((await called).code).toBe(130)
    expect(io.send(signal)).toBe(false)
  })

  test('when the reader is gone', async () => {
    const io = terminal()
    const called = call(['tail', '-f', '--json'], { io, overrides: quiet() })
    while (!io.text('stdout').includes('run.started')) await new Promise((resolve) => setImmediate(resolve))
    ;(io.stdout as unknown as NodeJS.EventEmitter).emit('error', new Error('write EPIPE'))
    expect((await called).code).toBe(0)
  })
})
