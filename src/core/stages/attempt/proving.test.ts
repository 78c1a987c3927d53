import { describe, expect, test } from 'vitest'
import { config, inspected, planned } from '../../../../test/kit/inspected-runs.ts'
import { checkExit, play, type World } from '../../../../test/kit/play.ts'
import type { RunConfig } from '../../../model/config.ts'
import { attentionText } from '../../../views/status/attention.ts'
import { verificationWorkspace } from '../../../model/work.ts'

describe('F13: new tests are proof only if they fail without the change', () => {
  const world =
    (onBase: 0 | 1): World =>
    (work) => {
      if (work.kind === 'inspect') return inspected({ newTests: ['a.test.js'], restored: work.restore !== null })
      if (work.kind === 'overlay') return { kind: 'overlay', tree: 'laid' }
      return work.kind === 'check' ? checkExit(work.tree === 'laid' ? onBase : 0, { tests: 3 }) : undefined
    }

  test.each([
    [1, true, 'proved'],
    [0, false, 'no proof'],
  ] as const)('exit %i on the base: proved %s', (exit, proved, proof) => {
    const played = play(config(), planned({}, world(exit)))
    expect(played.of('proof.given')).toMatchObject([{ task: 'T001', proved, files: ['a.test.js'] }])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'done', proof })
    const order = played
      .of('work.started')
      .map(({ work }) => work)
      .filter(({ id }) => id.includes('/proof'))
    expect(order.map(({ kind }) => kind)).toEqual(['overlay', 'check'])
    expect(order[0]).toMatchObject({ how: 'proof', base: 'c0', tree: 't1' })
    expect(order[1]).toMatchObject({ workspace: verificationWorkspace, commit: 'c0', tree: 'laid' })
  })

  test.each([
    ['listed by file', ['a.test.js > adds'], 'they pass without the change'],
    ['others are listed', ['b.test.js > adds'], undefined],
    ['not listed', undefined, undefined],
  ] as const)('green on the base, %s: %j, why %s', (_name, executed, why) => {
    const seen = { tests: 3, ...(executed ? { executed: [...executed] } : {}) }
    const answer: World = (work, state) =>
      work.kind === 'check' && work.tree === 'laid' ? checkExit(0, seen) : world(0)(work, state)
    const [given, ...others] = play(config(), planned({}, answer)).of('proof.given')
    expect([given?.proved, given?.why, others]).toEqual([false, why, []])
  })

  test('a change of tests alone is reported as such, and nothing is run for it', () => {
    const alone: World = (work, state) =>
      work.kind === 'overlay' ? { kind: 'overlay', tree: work.tree } : world(0)(work, state)
    const played = play(config(), planned({}, alone))
    expect(played.of('proof.given')).toMatchObject([{ proved: false, why: 'only tests were changed' }])
    expect(played.of('work.started').filter(({ work: { id } }) => id.includes('/proof0/'))).toEqual([])
    expect(attentionText(played.state)).toBe('1 task changed only tests (T001)')
  })

  test('no test fails when none runs without the change', () => {
    const played = play(
      config(),
      planned({}, (work, state) =>
        work.kind === 'check' && work.tree === 'laid' ? checkExit(0, { tests: 0 }) : world(1)(work, state),
      ),
    )
    expect(played.of('proof.given')).toMatchObject([{ proved: false }])
  })

  test('an expected red result is not rerun; a test that was red before proves nothing', () => {
    const once = play(config({ checkReruns: 1 }), planned({}, world(1)))
    expect(once.of('work.started').filter(({ work: { id } }) => id.includes('/proof0/'))).toHaveLength(1)
    const wasRed = play(
      config({ baseline: 'no-worse' }),
      planned({ title: 'fix the failing test' }, (work, state) =>
        work.kind === 'check' && (work.tree === 'laid' || work.id.startsWith('baseline'))
          ? checkExit(1, { fingerprint: 'as before' })
          : world(0)(work, state),
      ),
    )
    expect(wasRed.of('proof.given')).toMatchObject([{ proved: false }])
  })

  test('the proof is recorded before the change lands', () => {
    const checks = [
      { name: 'test', run: 'x' },
      { name: 'lint', run: 'y' },
    ]
    const played = play(
      config({ baseline: 'no-worse', checks }),
      planned({}, (work, state) => {
        if (work.kind === 'integrate' && work.step.kind === 'merge')
          return { kind: 'integrate', status: 'merged', commit: 'm', tree: 'merged', onto: 'c1' }
        const isRed = work.kind === 'check' && work.name === 'test' && work.tree !== 'merged'
        return isRed
          ? checkExit(1, { fingerprint: 'as before' })
          : work.kind === 'check'
            ? checkExit(0, { tests: work.name === 'test' ? 3 : null })
            : world(1)(work, state)
      }),
    )
    const order = played.of('work.started').map(({ work }) => work.id)
    expect(order.slice(order.indexOf('T001/a1/land0')).filter((id) => id.includes('/proof'))).toEqual([])
    expect(played.of('proof.given')).toHaveLength(1)
    expect(played.state.status).toBe('completed')
  })

  /** `make test`: its output names no tests. */
  const opaque =
    (onBase: 0 | 1): World =>
    (work, state) =>
      work.kind === 'check' ? checkExit(work.tree === 'laid' ? onBase : 0) : world(0)(work, state)

  test.each([
    [1, true],
    [0, false],
  ] as const)(
    'when no output lists tests, the exit code of a check that was green before decides: %i, proved %s',
    (exit, proved) => {
      const played = play(config({ baseline: 'no-worse' }), planned({}, opaque(exit)))
      expect(played.of('proof.given')).toMatchObject([
        {
          proved,
          ...(proved ? {} : { why: 'no check reports that it ran tests, and none is red with them on the old code' }),
        },
      ])
      expect(played.state.tasks['T001']).toMatchObject(
        proved ? { proof: 'proved' } : { proof: 'no proof', unproven: expect.stringContaining('no check reports') },
      )
    },
  )

  const untold: readonly [name: string, changes: Partial<RunConfig>, world: World, why: string][] = [
    [
      'the check was never seen green before',
      {},
      opaque(1),
      'no check reports that it ran tests, nor was one seen green before',
    ],
    [
      'there are no checks',
      { checks: [] },
      opaque(1),
      'no check reports that it ran tests, nor was one seen green before',
    ],
    [
      'in place',
      { parallel: 1, workspace: { mode: 'in-place', setup: null, copy: [], commit: false } },
      world(1),
      'in place, they cannot be run without the change',
    ],
    [
      'flaky',
      { checkReruns: 1 },
      (work, state) => (work.id === 'T001/a1/check0/1' ? checkExit(1) : world(1)(work, state)),
      'the checks that run tests are flaky',
    ],
  ]
  test.each(untold)('no proof, and why: %s', (_name, changes, answer, why) => {
    const played = play(config(changes), planned({}, answer))
    expect(played.of('proof.given')).toMatchObject([{ proved: false, why }])
    expect(played.of('work.started').some(({ work }) => work.kind === 'overlay')).toBe(false)
    expect(played.state.tasks['T001']).toMatchObject({ status: 'done', proof: 'no proof', unproven: why })
  })
})
