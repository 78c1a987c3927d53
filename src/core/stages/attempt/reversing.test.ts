import { describe, expect, test } from 'vitest'
import { config, found, inspected, planned } from '../../../../test/kit/inspected-runs.ts'
import { checkExit, limits, play, type World } from '../../../../test/kit/play.ts'
import { verificationWorkspace, type CheckOutcome } from '../../../model/work.ts'

describe('F13: reverse proof decides, the guard reports', () => {
  const touches = { tests: ['a.test.js'], data: [], machinery: [] }
  const world =
    (onReverse: Partial<CheckOutcome> & { exitCode: number }): World =>
    (work) => {
      if (work.kind === 'inspect') return inspected({ tamper: [found], touchesTests: true })
      if (work.kind === 'overlay') return { kind: 'overlay', tree: 'laid', touches }
      if (work.kind !== 'check') return undefined
      return work.tree === 'laid'
        ? checkExit(onReverse.exitCode, { tests: 3, ...onReverse })
        : checkExit(0, { tests: 3 })
    }
  const red = { exitCode: 1, failing: ['adds'] }
  const once = limits({ attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 })

  test('the tests of the base run on the code of the candidate, in a verification workspace', () => {
    const played = play(config(), planned({}, world({ exitCode: 0 })))
    const works = played
      .of('work.started')
      .map(({ work }) => work)
      .filter(({ id }) => id.includes('/reverse'))
    expect(works).toMatchObject([
      { kind: 'overlay', how: 'reverse', base: 'c0', tree: 't1' },
      { kind: 'check', workspace: verificationWorkspace, commit: 'c0', tree: 'laid', names: true },
    ])
  })

  test('green: the finding of the guard is a WARNING, and the change lands', () => {
    const played = play(config(), planned({}, world({ exitCode: 0 })))
    expect(played.of('finding.raised')).toMatchObject([{ severity: 'WARNING', task: 'T001' }])
    expect(played.state.status).toBe('completed')
  })

  test('red and not permitted: a BLOCKER that names the test and how to proceed', () => {
    const played = play(config(once), planned({}, world(red)))
    const detail = expect.stringMatching(
      /adds: test skipped .* fails with the code of this change\n[^]*allows: skip-tests[^]*--guard warn/,
    )
    expect(played.of('finding.raised')).toMatchObject([
      { severity: 'BLOCKER', title: expect.stringContaining("base's tests fail"), detail },
    ])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed' })
  })

  test.each([
    ['do it', { allows: ['skip-tests:a.test.js'] }],
    ['Skip the flaky tests of the parser for now', {}],
  ])('red and asked for by the goal %j and the task %j: reported, and it lands', (goal, task) => {
    const played = play(config(once), planned(task, world(red)), { goal })
    expect(played.of('finding.raised')).toMatchObject([{ severity: 'WARNING' }])
    expect(played.state.status).toBe('completed')
  })

  test('not runnable: the guard blocks', () => {
    const played = play(config(once), planned({}, world({ exitCode: 127, started: false, tests: null })))
    expect(played.of('finding.raised')).toMatchObject([
      { severity: 'BLOCKER', detail: expect.stringContaining('cannot run') },
    ])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed' })
  })

  const ownCheck =
    (exitCode: number): World =>
    (work, state) =>
      work.kind === 'check' && work.tree === 'laid' && work.name === 'npm test a'
        ? checkExit(exitCode, { tests: 1, ...(exitCode === 0 ? {} : { failing: ['adds'] }) })
        : world({ exitCode: 0 })(work, state)

  test('green, but the check of the task needs the changed tests: the guard blocks', () => {
    const played = play(config(once), planned({ checks: ['npm test a'] }, ownCheck(1)))
    expect(played.of('finding.raised')).toMatchObject([
      { severity: 'BLOCKER', detail: expect.stringContaining('npm test a passes only with the tests of this change') },
    ])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed' })
  })

  test('green, and the check of the task is green, too: a WARNING', () => {
    const played = play(config(once), planned({ checks: ['npm test a'] }, ownCheck(0)))
    expect(played.of('finding.raised')).toMatchObject([{ severity: 'WARNING' }])
    expect(played.state.status).toBe('completed')
  })

  test('the check of the task runs on the tests of the base only when the guard found something', () => {
    const clean: World = (work, state) =>
      work.kind === 'inspect' ? inspected({ tamper: [], touchesTests: true }) : ownCheck(1)(work, state)
    const played = play(config(once), planned({ checks: ['npm test a'] }, clean))
    expect(played.state.status).toBe('completed')
    const names = played
      .of('work.started')
      .map(({ work }) => work.kind === 'check' && work.tree === 'laid' && work.name)
    expect(names).not.toContain('npm test a')
  })

  test('a change that touches no test needs no extra run', () => {
    const played = play(
      config(),
      planned({}, (work) => (work.kind === 'inspect' ? inspected({ tamper: [] }) : undefined)),
    )
    expect(played.of('work.started').some(({ work }) => work.id.includes('/reverse'))).toBe(false)
  })
})
