import { expect, test } from 'vitest'
import { call } from '../../../../test/kit/cli.ts'
import type { ReplayReport } from '../../../views/history/replay-text.ts'

const differing: ReplayReport = {
  run: '001-x',
  same: 1,
  skipped: 0,
  stopped: false,
  files: null,
  differences: [
    {
      seq: 7,
      at: '2026-01-01T00:00:00.000Z',
      subject: 'run',
      journal: { type: 'wave.closed', wave: 1, tasks: [] },
      today: null,
    },
  ],
}

test('the same decisions: exit 0', async () => {
  const { code, stdout, stderr, app } = await call(['replay'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^✓ 001-x: \d\d decisions, none differs\n$/)
  expect(app?.asked.other).toEqual([['replay', false]])
})

test('a difference: exit 1, with its place and both sides', async () => {
  const overrides = { replay: async () => differing }
  const { code, stdout } = await call(['replay', '1'], { overrides })
  expect(code).toBe(1)
  expect(stdout).toContain('event 7 run · 2026-01-01 00:00 UTC\n  journal  wave.closed  wave 1\n  today    nothing\n')
  const json = await call(['replay', '--json'], { overrides })
  expect({ code: json.code, report: JSON.parse(json.stdout) as unknown }).toEqual({ code: 1, report: differing })
})

test('--files: exit 1 also when git lacks recorded trees', async () => {
  expect(await call(['replay', '--files'])).toMatchObject({ code: 0, app: { asked: { other: [['replay', true]] } } })
  const overrides = {
    replay: async () => ({
      ...differing,
      differences: [],
      files: { recorded: 3, gone: [{ id: 'a'.repeat(40), seq: 4 }] },
    }),
  }
  expect(await call(['replay', '--files'], { overrides })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 of 3 recorded trees and commits is gone') as string,
  })
})

test('an unknown run is exit 2', async () => {
  expect(await call(['replay', '7'])).toMatchObject({ code: 2, stdout: '' })
})
