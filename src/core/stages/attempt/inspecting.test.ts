import { describe, expect, test } from 'vitest'
import { config, found, inspected, planned } from '../../../../test/kit/inspected-runs.ts'
import { coded, limits, planOf, play, type Played, type World } from '../../../../test/kit/play.ts'
import { guardedChecks } from './tampering.ts'

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
      4,
    )
    expect(played.of('question.asked').map(({ question }) => question)).toMatchObject([
      {
        id: 'Q1',
        text: expect.stringMatching(
          /^May T001 .*\(skip-tests:a\.test\.js\)\? Its agents leave this in place: (?!.*a\.test\.js)/,
        ),
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
