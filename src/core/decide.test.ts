import { describe, expect, test } from 'vitest'
import {
  baseConfig,
  checkExit,
  coded,
  limits,
  plan,
  planOf,
  play,
  tested,
  verdict,
  type World,
} from '../../test/kit/play.ts'
import { type TurnWork } from '../model/work.ts'

const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
const startedTurns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))

describe('the supervised workflow when all goes well', () => {
  test('A4 A7: plans, builds in dependency order, verifies the goal, completes with evidence', () => {
    const played = play(baseConfig(), () => undefined)
    expect(played.state.status).toBe('completed')
    expect(startedTurns(played)).toEqual([
      'plan/r0',
      'plan/r0/review',
      'T001/a1/implement',
      'T001/a1/test0',
      'T001/a1/verify0',
      'T002/a1/implement',
      'T002/a1/test0',
      'T002/a1/verify0',
      'gate/g1/verify',
    ])
    expect(played.state.tasks['T001']?.evidence).toMatchObject([{ check: 'test', exitCode: 0 }])
    expect(played.state.wave).toBe(2)
  })

  test('review: false takes no judging turn at all', () => {
    expect(startedTurns(play(baseConfig({ review: false }), () => undefined))).toEqual([
      'plan/r0',
      'T001/a1/implement',
      'T002/a1/implement',
    ])
  })

  test('independent tasks run in parallel up to `parallel`', () => {
    let most = 0
    const played = play(baseConfig({ parallel: 3 }), (work, state) => {
      most = Math.max(most, Object.values(state.works).filter(({ work: { kind } }) => kind === 'turn').length)
      return work.kind === 'turn' && work.role === 'planner' ? plan('a', 'b', 'c', 'd', 'e') : undefined
    })
    expect(most).toBe(3)
    expect(played.state.counts.done).toBe(5)
  })

  test('in place with nothing to check, a task is one turn and nothing else', () => {
    const config = baseConfig({
      review: false,
      checks: [],
      parallel: 1,
      workspace: { mode: 'in-place', setup: null, copy: [], commit: false },
    })
    const played = play(config, () => undefined)
    expect(
      played
        .of('work.started')
        .map(({ work }) => work.kind)
        .filter((kind) => kind !== 'wait'),
    ).toEqual(['turn', 'turn', 'turn', 'finish'])
    expect(played.state.tasks['T001']?.evidence).toEqual([])
  })
})

describe('A3: plan review', () => {
  const reviews = (...scores: number[]): World =>
    turn((work) => (work.purpose === 'review-plan' ? verdict(scores.shift() ?? 0) : undefined))

  test.each([
    ['a score of 70 approves', [70], 'approved', 0],
    ['69 revises, then 70 approves', [69, 70], 'approved', 1],
    ['below 50 is revised as well', [10, 95], 'approved', 1],
    ['after three revisions the run goes on', [60, 60, 60, 60], 'skipped', 3],
  ])('%s', (_name, scores, why, revisions) => {
    const played = play(baseConfig(), reviews(...scores))
    expect(played.of('plan.accepted')).toMatchObject([{ why }])
    expect(played.of('plan.rejected')).toHaveLength(revisions)
    expect(played.state.status).toBe('completed')
  })

  test('the feedback is in the state for the next planner', () => {
    const played = play(baseConfig(), reviews(60, 90))
    expect(played.of('plan.rejected')[0]?.feedback).toContain('score was 60')
    expect(
      played
        .of('work.started')
        .map(({ work }) => work)
        .find((work) => work.kind === 'turn' && work.purpose === 'revise'),
    ).toBeDefined()
  })

  test.each([
    ['abort', [60, 60], 'failed'],
    ['lower_threshold', [60, 60], 'completed'],
    ['lower_threshold', [60, 49], 'failed'],
  ] as const)('onPlanRejected %s with %j ends %s', (onPlanRejected, scores, status) => {
    expect(play(baseConfig({ onPlanRejected, ...limits({ planRevisions: 1 }) }), reviews(...scores)).state.status).toBe(
      status,
    )
  })

  test('an invalid plan gets one repair turn and then fails the run', () => {
    const cycle = planOf([
      { id: 'a', dependsOn: ['b'] },
      { id: 'b', dependsOn: ['a'] },
    ])
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'planner' ? cycle : undefined)),
    )
    expect(startedTurns(played)).toEqual(['plan/r0', 'plan/r0.repair'])
    expect(played.state).toMatchObject({ status: 'failed', reason: expect.stringContaining('circle') })
  })
})

describe('A9: resuming', () => {
  test('a failed run opens its failed tasks again', () => {
    let broken = true
    const world: World = (work) => (broken && work.kind === 'check' && work.task === 'T001' ? checkExit(1) : undefined)
    const played = play(baseConfig(limits({ attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 })), world)
    expect(played.state.status).toBe('failed')
    broken = false
    expect(played.resume().state.status).toBe('completed')
  })

  test('a goal that was not verified is verified again', () => {
    const scores = [30, 95]
    const played = play(
      baseConfig(),
      turn((work) => (work.purpose === 'verify-goal' ? verdict(scores.shift() ?? 0) : undefined)),
    )
    expect(played.state).toMatchObject({ status: 'failed' })
    expect(played.resume().state.status).toBe('completed')
  })
})

test('a read-only role that edits files is caught', () => {
  const played = play(
    baseConfig(),
    turn((work) =>
      work.role === 'tester' && work.task === 'T001' ? { ...tested(), edited: ['src/a.ts'] } : undefined,
    ),
  )
  expect(played.of('finding.raised')).toMatchObject([{ title: expect.stringContaining('tester'), task: 'T001' }])
})

test('tasks that the coder discovers join the plan, up to a limit', () => {
  const played = play(
    baseConfig(limits({ splitDepth: 1 })),
    turn((work) =>
      work.role === 'coder'
        ? coded({
            newTasks: [
              {
                title: 'more',
                description: '',
                complexity: 'simple',
                type: null,
                dependsOn: [],
                criteria: [],
                checks: [],
                files: [],
                priority: null,
              },
            ],
          })
        : undefined,
    ),
  )
  expect(played.state.status).toBe('completed')
  expect(played.state.order).toEqual(['T001', 'T002', 'T003', 'T004'])
})

test('a check of the plan that needs a shell is not run, and a finding says so', () => {
  const played = play(baseConfig({ review: false }), (work) =>
    work.kind === 'turn' && work.role === 'planner'
      ? planOf([{ id: 'T001', title: 'one', checks: ['test -f a | cat', 'npm run lint', 'npm test'] }])
      : undefined,
  )
  expect(played.state.findings).toMatchObject([{ severity: 'WARNING', task: 'T001', detail: '- test -f a | cat' }])
  expect(played.of('check.finished').map(({ check }) => check)).toEqual(
    expect.arrayContaining(['test', 'npm run lint']),
  )
})
