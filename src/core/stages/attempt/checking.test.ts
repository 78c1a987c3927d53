import { describe, expect, test } from 'vitest'
import { checks, config, onBase, red } from '../../../../test/kit/checked-runs.ts'
import { checkExit, play, type World } from '../../../../test/kit/play.ts'
import type { CheckOutcome } from '../../../model/work.ts'

const ran = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'check' ? [work.id] : []))

describe('F14: flaky checks', () => {
  test('a red check is rerun on the same tree before a task is blamed; it counts as red when all runs are red', () => {
    const played = play(
      config(),
      checks((work) => (work.task === null ? undefined : checkExit(1))),
    )
    expect(ran(played).filter((id) => id.startsWith('T001/a1/check0'))).toEqual([
      'T001/a1/check0/1',
      'T001/a1/check0/1.rerun1',
      'T001/a1/check0/1.rerun2',
    ])
    expect(
      new Set(
        played
          .of('work.started')
          .flatMap(({ work }) => (work.kind === 'check' && work.id.startsWith('T001/a1/check0') ? [work.tree] : [])),
      ).size,
    ).toBe(1)
    expect(played.of('attempt.fixing')).toHaveLength(1)
    expect(played.state).toMatchObject({ status: 'failed', flaky: {} })
  })

  test('mixed results on one tree make the check flaky: it is listed, still counts as evidence, and needs no fix', () => {
    const played = play(
      config(),
      checks((work) => (work.id === 'T001/a1/check0/1' ? checkExit(1) : undefined)),
    )
    expect(played.state.status).toBe('completed')
    expect(played.of('attempt.fixing')).toEqual([])
    expect(played.state.flaky).toEqual({ test: { check: 'test', runs: 2, passed: 1, task: 'T001' } })
    expect(played.state.tasks['T001']?.evidence).toMatchObject([{ check: 'test', exitCode: 0, flaky: true }])
    expect(played.of('check.finished').find(({ task }) => task === 'T001')?.note).toContain('passed in 1 of 2 runs')
  })

  test('a flaky check blames no task for the rest of the run, as long as another check proves the work', () => {
    const two = [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint' },
    ]
    const world = checks(
      (work) => {
        if (work.id === 'T001/a1/check0/1') return checkExit(1)
        return work.task === 'T002' && work.name === 'test' ? checkExit(1) : undefined
      },
      [{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'] }],
    )
    const played = play(config({ checks: two }), world)
    expect(played.state.tasks['T002']).toMatchObject({ status: 'done', evidence: [{ check: 'lint' }] })
  })

  const second = (red: (run: number) => boolean, title = 'x'): World => {
    let run = 0
    return checks(
      (work) => {
        if (work.id === 'T001/a1/check0/1') return checkExit(1)
        return work.task === 'T002' && red(run++) ? checkExit(1, { tail: 'TELLING' }) : undefined
      },
      [{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'], title }],
    )
  }

  test('when all checks are flaky, they are rerun more often; if they stay red, the work is unproven and no agent is asked to fix them', () => {
    const stubborn = play(
      config(),
      second(() => true),
    )
    expect(stubborn.state.tasks['T002']).toMatchObject({
      status: 'failed',
      reason: 'no check proves the work: test still fails and is flaky',
    })
    expect(stubborn.of('attempt.fixing')).toEqual([])
    expect(ran(stubborn).filter((id) => id.startsWith('T002/a1/check0'))).toHaveLength(10)
    const [failed] = stubborn.of('attempt.failed')
    expect(JSON.stringify(failed?.failure)).not.toContain('TELLING')
    const lucky = play(
      config(),
      second((run) => run < 9),
    )
    expect(lucky.state.tasks['T002']).toMatchObject({ status: 'done', evidence: [{ check: 'test', flaky: true }] })
  })

  test('the prompt of the fix contains the output of the check', () => {
    const played = play(
      config(),
      second(() => true, 'Fix the flaky test'),
    )
    expect(played.of('attempt.fixing')).toMatchObject([
      { task: 'T002', failure: { detail: expect.stringContaining('TELLING') } },
    ])
  })

  test('a held-out check that proves nothing is not named', () => {
    const held = config({ checks: [{ name: 'secret-check', run: 'sh s.sh', hidden: true }] })
    expect(
      play(
        held,
        second(() => true),
      ).state.tasks['T002']?.reason,
    ).toBe('no check proves the work: a held-out check still fails and is flaky')
  })

  const flakyThen = (later: CheckOutcome, base?: CheckOutcome) =>
    play(
      config({
        checks: [
          { name: 'test', run: 'npm test' },
          { name: 'lint', run: 'npm run lint' },
        ],
      }),
      checks(
        (work) => {
          if (base && onBase(work) && work.name === 'test') return base
          if (work.id === 'T001/a1/check0/1') return red(['shaky'], 9)
          return work.task === 'T002' && work.name === 'test' ? later : undefined
        },
        [{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'] }],
      ),
    ).state
  test.each<[string, CheckOutcome, string]>([
    ['it is the same test', red(['shaky'], 9), 'done'],
    ['another fails', red(['other'], 9), 'failed'],
    ['another fails with it', red(['shaky', 'other'], 8), 'failed'],
    ['the output does not say it', red(), 'failed'],
  ])('where tests are named, only those seen red and green are excused: %s', (_name, later, status) => {
    const state = flakyThen(later)
    expect(state.flaky).toEqual({ test: { check: 'test', runs: 2, passed: 1, task: 'T001', tests: ['shaky'] } })
    expect(state.tasks['T002']?.status).toBe(status)
  })

  test('earlier failures and flaky tests are excused together, and nothing else', () => {
    expect(flakyThen(red(['old', 'shaky'], 8), red(['old'], 9)).tasks['T002']?.status).toBe('done')
    expect(flakyThen(red(['old', 'shaky', 'new'], 8), red(['old'], 9)).tasks['T002']?.status).toBe('failed')
    expect(flakyThen(red(['old'], 5), red(['old'], 9)).tasks['T002']?.status).toBe('failed')
  })

  test('the whole check is flaky when it was red without names of tests', () => {
    const runs: Record<string, CheckOutcome> = { 'T001/a1/check0/1': red(['shaky'], 9), 'T002/a1/check0/1': red() }
    const world = checks(
      (work) => runs[work.id] ?? (work.task === 'T003' && work.name === 'test' ? red(['other'], 9) : undefined),
      [{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'] }, { id: 'T003', dependsOn: ['T002'] }],
    )
    const two = [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint' },
    ]
    const { state } = play(config({ checks: two }), world)
    expect(state.flaky['test']?.tests).toBeUndefined()
    expect(state.tasks['T003']?.status).toBe('done')
  })

  test('without reruns the first result counts', () => {
    const played = play(
      config({ checkReruns: 0, baseline: 'off' }),
      checks((work) => (work.id === 'T001/a1/check0/1' ? checkExit(1) : undefined)),
    )
    expect(ran(played)).toEqual(['T001/a1/check0/1', 'T001/a1/check1/1', 'gate/g1/check/1'])
    expect(played.of('attempt.fixing')).toHaveLength(1)
  })
})

describe('F13: held-out checks', () => {
  test('the fix of a red held-out check gets neither its name nor its output', () => {
    const held = config({
      checks: [
        { name: 'test', run: 'npm test' },
        { name: 'secret-check', run: 'sh s.sh', hidden: true },
      ],
    })
    const played = play(
      held,
      checks((work) =>
        work.name === 'secret-check' && work.task !== null ? checkExit(1, { tail: 'TELLING' }) : undefined,
      ),
    )
    const [fixing] = played.of('attempt.fixing')
    expect(fixing?.failure.summary).toBe('a held-out check failed')
    expect(JSON.stringify(fixing?.failure)).not.toMatch(/secret-check|TELLING|s\.sh/)
  })

  test('a check of the wave does not run for a task', () => {
    const slow = config({
      checks: [
        { name: 'test', run: 'npm test' },
        { name: 'slow', run: 'sh s.sh', when: 'wave' },
      ],
    })
    const played = play(
      slow,
      checks(() => undefined),
    )
    expect(played.of('check.finished').filter(({ check, task }) => check === 'slow' && task !== null)).toEqual([])
    expect(played.of('check.finished').some(({ check, task }) => check === 'slow' && task === null)).toBe(true)
  })
})
