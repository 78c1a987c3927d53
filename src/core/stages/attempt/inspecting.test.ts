import { describe, expect, test } from 'vitest'
import {
  baseConfig,
  checkExit,
  coded,
  limits,
  planOf,
  play,
  type Played,
  type World,
} from '../../../../test/kit/play.ts'
import type { RunConfig } from '../../../model/config.ts'
import type { TamperFinding } from '../../../model/tamper.ts'
import { verificationWorkspace, type CheckOutcome, type InspectOutcome } from '../../../model/work.ts'
import { guardedChecks } from './tampering.ts'

const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    review: false,
    guard: 'block',
    proof: true,
    ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0 }),
    ...changes,
  })
const found: TamperFinding = { kind: 'test-skipped', file: 'a.test.js', test: 'adds', detail: 'it() became it.skip()' }
const inspected = (more: Partial<InspectOutcome>): InspectOutcome => ({
  kind: 'inspect',
  tree: 't1',
  files: ['a'],
  fileCount: 1,
  insertions: 1,
  deletions: 0,
  restored: false,
  ...more,
})
const planned =
  (task: Record<string, unknown>, world: World): World =>
  (work, state) =>
    work.kind === 'turn' && work.role === 'planner' ? planOf([{ id: 'T001', ...task }]) : world(work, state)

describe('F13: the tamper guard', () => {
  const skips =
    (times: number): World =>
    (work) =>
      work.kind === 'inspect' ? inspected(times-- > 0 ? { tamper: [found] } : {}) : undefined

  test('a BLOCKER names file and test, and the coder must fix it', () => {
    const played = play(config(), planned({}, skips(1)))
    expect(played.of('work.started').some(({ work }) => work.kind === 'inspect' && work.guard === true)).toBe(true)
    expect(played.of('finding.raised')).toMatchObject([
      {
        severity: 'BLOCKER',
        task: 'T001',
        detail: expect.stringMatching(
          /^a\.test\.js › adds: test skipped \(it\(\) became it\.skip\(\)\)[^]*--guard warn/,
        ),
      },
    ])
    expect(played.of('attempt.fixing')).toMatchObject([
      { failure: { kind: 'tamper', detail: expect.stringContaining('a.test.js › adds') } },
    ])
    expect(played.state.status).toBe('completed')
  })

  test('an attempt that does not fix it fails', () => {
    expect(play(config(), planned({}, skips(99))).state.tasks['T001']).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('made weaker'),
    })
  })

  test('a finding that agents leave in place is asked about once, and the answer decides', () => {
    const played = play(
      config({ ...limits({ attempts: 2, splitDepth: 0, goalIterations: 1 }) }),
      planned({}, skips(99)),
    )
    expect(played.of('work.started').filter(({ work }) => work.kind === 'turn' && work.role === 'coder')).toHaveLength(
      6,
    )
    expect(played.of('question.asked').map(({ question }) => question)).toMatchObject([
      {
        id: 'Q1',
        text: expect.stringMatching(/^May T001 weaken tests or checks \(skip-tests:a\.test\.js\)\? Its agents leave/),
        options: ['allow', 'refuse'],
        blocks: ['T001'],
      },
    ])
    expect(played.state.pause).toMatchObject({
      kind: 'question',
      hint: 'Answer and go on: looper answer Q1 "<answer>" && looper resume',
    })
    const answered = (answer: string, allows?: string[]): Played =>
      play(config(), planned({}, skips(99)), { from: played.events })
        .record({ type: 'question.answered', question: 'Q1', answer, by: 'person', ...(allows ? { allows } : {}) })
        .resume()
    expect(answered('allow', ['skip-tests:a.test.js']).state.status).toBe('completed')
    const refused = answered('refuse')
    expect(refused.state.tasks['T001']).toMatchObject({ status: 'failed' })
    expect(refused.of('question.asked')).toHaveLength(1)
  })

  test('without another goal iteration the task fails, and a resume after the answer repeats it', () => {
    const played = play(config(), planned({}, skips(99)))
    expect(played.state.status).toBe('failed')
    const allows = ['skip-tests:a.test.js']
    played.record({ type: 'question.answered', question: 'Q1', answer: 'allow', by: 'person', allows })
    expect(played.resume().state.status).toBe('completed')
  })

  test.each([
    ['Skip the flaky tests of the parser for now', true],
    ['Make the parser faster', false],
    ['Add tests for the parser', false],
  ])('%s: allowed %s', (title, allowed) => {
    expect(play(config(), planned({}, skips(99)), { goal: title }).state.status).toBe(allowed ? 'completed' : 'failed')
    expect(play(config(), planned({ title }, skips(99))).state.status).toBe('failed')
  })

  test('a task that a coder added permits nothing', () => {
    const finds: World = (work) => {
      if (work.kind === 'inspect') return inspected(work.id.startsWith('T001/') ? {} : { tamper: [found] })
      const newTasks = [
        {
          id: 'N1',
          title: 'Skip the flaky tests',
          description: '',
          complexity: 'simple',
          type: null,
          dependsOn: [],
          criteria: [],
          checks: [],
          files: [],
          priority: null,
        },
      ]
      return work.kind === 'turn' && work.role === 'coder' && work.task === 'T001' ? coded({ newTasks }) : undefined
    }
    const played = play(config({ ...limits({ attempts: 1, splitDepth: 2, goalIterations: 0 }) }), planned({}, finds))
    expect(Object.values(played.state.tasks).map(({ title, status }) => [title, status])).toContainEqual([
      'Skip the flaky tests',
      'failed',
    ])
  })

  test('warn reports and continues; off does not inspect', () => {
    const warned = play(config({ guard: 'warn' }), planned({}, skips(99)))
    expect(warned.of('finding.raised')).toMatchObject([{ severity: 'WARNING' }])
    expect(warned.state.status).toBe('completed')
    const off = play(
      config({ guard: 'off' }),
      planned({}, () => undefined),
    )
    expect(off.of('work.started').some(({ work }) => work.kind === 'inspect' && work.guard !== undefined)).toBe(false)
  })
})

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
      /fails with the code of this change: adds[^]*allows: skip-tests[^]*--guard warn/,
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

describe('a secret in a change', () => {
  const secrets = [
    { file: 'src/a.js', line: 3, name: 'MY_TOKEN' },
    { file: 'b', line: 1, name: 'DATABASE_URL' },
  ]
  const leaks =
    (times: number): World =>
    (work) =>
      work.kind === 'inspect' ? inspected(times-- > 0 ? { secrets } : {}) : undefined

  test('is a BLOCKER that names file, line and variable, and the coder must remove it', () => {
    const played = play(config({ guard: 'off' }), planned({}, leaks(1)))
    const detail = 'src/a.js:3 holds the value of MY_TOKEN\nb:1 holds the value of DATABASE_URL'
    expect(played.of('finding.raised')).toMatchObject([{ severity: 'BLOCKER', task: 'T001', detail }])
    expect(played.of('attempt.fixing')).toMatchObject([
      { failure: { kind: 'secret', detail: expect.stringContaining('src/a.js:3 holds the value of MY_TOKEN') } },
    ])
    expect(played.state.status).toBe('completed')
  })

  test('never lands', () => {
    const played = play(config({ guard: 'off' }), planned({}, leaks(99)))
    const { status, reason } = played.state.tasks['T001'] ?? {}
    expect([status, reason]).toEqual(['failed', expect.stringContaining('the change holds a secret: src/a.js:3')])
    expect(played.of('work.started').some(({ work }) => work.kind === 'integrate')).toBe(false)
  })
})

describe('F13: the guarded checks', () => {
  const guarded = (count: number, checks: (n: number) => string[]): string[] => {
    let seen: string[] = []
    play(config({ parallel: 1, checks: [{ name: 'test', run: 'npm test' }] }), (work, state) => {
      if (work.kind === 'inspect') seen = guardedChecks(state)
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf(Array.from({ length: count }, (_, n) => ({ id: `T${n + 1}`, checks: checks(n) })))
        : undefined
    })
    return seen
  }

  test('include those of done tasks, each once, with those of the running task first', () => {
    expect(guarded(3, (n) => ['npm test', `sh ${n}.sh`])).toEqual(['npm test', 'sh 2.sh', 'sh 0.sh', 'sh 1.sh'])
  })

  test('are at most as many as the guard reads', () => {
    const seen = guarded(50, (n) => Array.from({ length: 10 }, (_, k) => `sh ${n}-${k}.sh`))
    expect(seen).toHaveLength(400)
    expect(seen.slice(0, 2)).toEqual(['npm test', 'sh 49-0.sh'])
  })
})

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
