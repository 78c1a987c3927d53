import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { sampleState } from '../../../../test/kit/state.ts'

describe('discard', () => {
  const done = [['discard', '001-x']]

  test('--yes does not ask', async () => {
    const { code, stdout, app } = await call(['discard', '--yes'])
    expect({ code, stdout, asked: app?.asked.other }).toEqual({ code: 0, stdout: 'discarded 001-x\n', asked: done })
  })

  test.each([
    ['y\n', 0, done],
    ['YES\n', 0, done],
    ['n\n', 1, []],
    ['\n', 1, []],
    ['yesterday\n', 1, []],
    ['', 1, []],
  ])('on a terminal it asks; %j', async (stdin, code, asked) => {
    const called = await call(['discard'], { io: terminal({ tty: true, stdin }) })
    expect(called.stderr).toMatch(
      /^Discard 001-x and its branch looper\/001-x with the changes of T001, T002\? \[y\/N\] /,
    )
    expect({ code: called.code, asked: called.app?.asked.other }).toEqual({ code, asked })
  })

  test('without a terminal it refuses', async () => {
    const { code, stderr, app } = await call(['discard'], { io: terminal({ stdin: 'y\n' }) })
    expect({ code, asked: app?.asked.other }).toEqual({ code: 2, asked: [] })
    expect(stderr).toMatch(/^looper: .*\n {2}Add --yes to confirm\.\n$/)
    expect(stderr).toContain('This discards 001-x and its branch looper/001-x with the changes of T001, T002.')
  })

  test('changes that are applied are not called lost', async () => {
    const applied = { commit: 'c', onto: 'main', at: '2026-03-01T10:05:00.000Z' }
    const state = sampleState({ run: '001-x', landings: [{ task: 'T001', commit: 'c', wave: 1, met: 0 }], applied })
    const overrides = { readRun: async () => ({ state, live: false, holder: null, dir: '/nowhere' }) }
    const { stderr } = await call(['discard'], { overrides, io: terminal({}) })
    expect(stderr).toMatch(/ \(its applied changes stay\)\.\n/)
  })
})
