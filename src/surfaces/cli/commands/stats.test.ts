import { expect, test } from 'vitest'
import { call } from '../../../../test/kit/cli.ts'
import { failedRun } from '../../../../test/kit/runs.ts'
import { fold } from '../../../core/fold.ts'
import { statsOf } from '../../../views/history/stats.ts'

test('for people', async () => {
  const { code, stdout, stderr, app } = await call(['stats'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^runs {3}1 · 1 completed\ntasks {2}2 done\n[^]*\nagent /)
  expect(app?.asked.other).toEqual([['stats', [], null]])
})

test('--json has the documented shape', async () => {
  const { code, stdout } = await call(['stats', '--json'], { played: failedRun() })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(statsOf([{ steps: fold(failedRun().events), live: false }]))
})

test.each([
  [
    ['stats', '3', 'auth'],
    [['3', 'auth'], null],
  ],
  [
    ['stats', '3'],
    [['3'], null],
  ],
  [
    ['stats', '--since', '2026-01-31'],
    [[], '2026-01-31T00:00:00.000Z'],
  ],
  [
    ['stats', '--since', '2026-01-31T12:00+02:00'],
    [[], '2026-01-31T10:00:00.000Z'],
  ],
])('looper %j', async (argv, asked) => {
  expect((await call(argv)).app?.asked.other).toEqual([['stats', ...asked]])
})

test.each(['yesterday', '1', '2026-13-40', '31.1.2026'])('--since %s: exit 2', async (date) => {
  expect(await call(['stats', '--since', date])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`--since takes a date like 2026-01-31, not '${date}'`) as string,
  })
})

test('nothing to sum', async () => {
  const overrides = { stats: async () => statsOf([]) }
  expect((await call(['stats'], { overrides })).stdout).toMatch(/^No runs yet/)
  expect((await call(['stats', '--since', '2026-01-31'], { overrides })).stdout).toBe('No runs since 2026-01-31.\n')
})

test('a run that cannot be read is named, not fatal', async () => {
  const overrides = { stats: async () => statsOf([], [{ run: '002-y', why: 'it is damaged' }]) }
  expect(await call(['stats'], { overrides })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('! 002-y cannot be read: it is damaged\n') as string,
  })
})
