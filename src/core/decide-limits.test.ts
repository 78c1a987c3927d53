import { describe, expect, test } from 'vitest'
import { agentError, baseConfig, coded, invalid, limits, ok, plan, play, type World } from '../../test/kit/play.ts'
import { type TurnWork } from '../model/work.ts'

const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
const startedTurns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))

describe('when an agent fails', () => {
  const coder = (...outcomes: ReturnType<World>[]): World =>
    turn((work) => (work.role === 'coder' && work.task === 'T001' ? outcomes.shift() : undefined))

  test('a crash is retried once, then the attempt fails at once', () => {
    const played = play(baseConfig(), coder(agentError('crash'), agentError('crash')))
    expect(played.of('attempt.failed')[0]?.failure).toMatchObject({ kind: 'agent', error: 'crash' })
    expect(startedTurns(played).filter((id) => id.startsWith('T001'))).toEqual([
      'T001/a1/implement',
      'T001/a1/implement.retry',
      'T001/a2/implement',
      'T001/a2/test0',
      'T001/a2/verify0',
    ])
  })

  test('an invalid answer gets one repair turn with the errors', () => {
    const played = play(baseConfig(), coder(invalid('status: required'), invalid('status: required')))
    const repair = played
      .of('work.started')
      .map(({ work }) => work)
      .find((work) => work.id === 'T001/a1/implement.repair')
    expect(repair).toMatchObject({ purpose: 'implement', errors: ['status: required'] })
    expect(played.of('attempt.failed')[0]?.failure.error).toBe('bad_response')
  })

  test('the same invalid answer in three attempts is the last: no goal iteration asks for it again', () => {
    const same = turn((work) =>
      work.role === 'coder' && work.task === 'T001' ? invalid('status: required') : undefined,
    )
    const played = play(baseConfig(), same)
    expect(played.of('task.started').filter(({ task }) => task === 'T001')).toHaveLength(3)
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed' })
  })

  test('a usage limit waits until it resets and costs no attempt', () => {
    const played = play(baseConfig(), coder(agentError('usage_limit', '2026-01-01T01:00:00Z')))
    expect(
      played
        .of('work.started')
        .map(({ work }) => work)
        .find((work) => work.kind === 'wait' && !work.id.startsWith('limit')),
    ).toMatchObject({ until: '2026-01-01T01:00:00.000Z' })
    expect(played.state.tasks['T001']?.attempts).toBe(1)
    expect(played.state.status).toBe('completed')
  })

  test.each(['auth', 'config'] as const)('%s pauses the run, and a resume tries again', (kind) => {
    const played = play(baseConfig(), coder(agentError(kind)))
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind } })
    expect(played.resume().state.status).toBe('completed')
    expect(played.state.tasks['T001']?.attempts).toBe(1)
  })

  test('a blocked task parks, the rest goes on, then the run pauses with the reason', () => {
    const world: World = turn((work) => {
      if (work.role === 'planner') return plan('T001', 'T002')
      return work.role === 'coder' && work.task === 'T001' && work.attempt === 1
        ? coded({ status: 'blocked', blocker: { kind: 'external', reason: 'no key' } })
        : undefined
    })
    const played = play(baseConfig(), world)
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: { kind: 'blocked', detail: expect.stringContaining('no key') },
    })
    expect(played.state.tasks['T002']?.status).toBe('done')
    expect(played.resume().state.status).toBe('completed')
  })

  test('questions: a default answers at once; without one the task parks until a person answers', () => {
    const asking = (question: Record<string, unknown>): World =>
      turn((work) =>
        work.role === 'coder' && work.task === 'T001' && work.attempt === 1
          ? coded({
              status: 'needs_clarification',
              questions: [{ text: 'which?', options: [], default: null, blocks: [], ...question }],
            })
          : undefined,
      )
    expect(play(baseConfig(), asking({ default: 'this' })).state.status).toBe('completed')
    const played = play(baseConfig(), asking({}))
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'question' } })
    expect(played.state.tasks['T001']).toMatchObject({ status: 'blocked', question: 'Q1' })
    played.record({ type: 'question.answered', question: 'Q1', answer: 'that', by: 'person' })
    expect(played.resume().state.status).toBe('completed')
    expect(played.state.tasks['T001']).not.toHaveProperty('question')
  })

  test('a blocker that reads like a question is none', () => {
    const reason = 'waiting for an answer to Q1'
    const played = play(
      baseConfig(),
      turn((work) =>
        work.role === 'coder' && work.task === 'T001'
          ? coded({ status: 'blocked', blocker: { kind: 'external', reason } })
          : undefined,
      ),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status: 'blocked', reason })
    expect(played.state.tasks['T001']).not.toHaveProperty('question')
  })

  test('an agent that keeps asking with defaults runs out of attempts', () => {
    const played = play(
      baseConfig(limits({ goalIterations: 0 })),
      turn((work) =>
        work.role === 'coder' && work.task === 'T001'
          ? coded({
              status: 'needs_clarification',
              questions: [{ text: 'which?', options: [], default: 'x', blocks: [] }],
            })
          : undefined,
      ),
    )
    expect(played.state.status).toBe('failed')
    expect(played.state.tasks['T001']?.attempts).toBe(3)
  })
})

describe('A8: limits pause the run, and raising one lets it go on', () => {
  const costly: World = turn((work) =>
    work.role === 'coder'
      ? ok(
          { status: 'complete', summary: '', files: [], decisions: [], questions: [], newTasks: [] },
          { costUsd: 2, inputTokens: 100, outputTokens: 10 },
        )
      : undefined,
  )

  test.each([
    ['turns', { turns: 4 }, { turns: 100 }],
    ['costUsd', { costUsd: 2 }, { costUsd: 100 }],
    ['tokens', { tokens: 100 }, { tokens: 9999 }],
    ['iterations', { iterations: 1 }, { iterations: 9 }],
    ['no turn at all', { turns: 0 }, { turns: null }],
  ])('%s', (_name, low, high) => {
    const played = play(baseConfig(limits(low)), costly)
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'limit' } })
    expect(played.resume(high).state.status).toBe('completed')
  })

  test('time', () => {
    const played = play(baseConfig(limits({ timeMinutes: 0.1 })), () => undefined)
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'limit' }, elapsedMs: 6_000 })
    expect(played.resume({ timeMinutes: 300 }).state.status).toBe('completed')
  })

  test('waiting for an agent does not count as running time and has its own limit', () => {
    const limited: World = turn((work) =>
      work.role === 'coder' && work.id.endsWith('implement')
        ? agentError('usage_limit', '2026-01-01T01:40:00Z')
        : undefined,
    )
    const patient = play(baseConfig({ parallel: 4, ...limits({ timeMinutes: 5, waitMinutes: 150 }) }), (work, state) =>
      work.kind === 'turn' && work.role === 'planner' ? plan('a', 'b', 'c', 'd') : limited(work, state),
    )
    expect(patient.state).toMatchObject({ status: 'completed' })
    expect(patient.state.elapsedMs).toBeLessThan(5 * 60_000)
    const hasty = play(baseConfig(limits({ waitMinutes: 30 })), limited)
    expect(hasty.state).toMatchObject({ status: 'paused', pause: { kind: 'limit' } })
    expect(hasty.resume({ waitMinutes: 300 }).state.status).toBe('completed')
  })

  test('a reset time in the past does not cause requests without a pause', () => {
    let asked = 0
    const played = play(
      baseConfig(limits({ waitMinutes: 60 })),
      turn((work) =>
        work.role === 'coder' ? (asked++, agentError('rate_limited', '2020-01-01T00:00:00Z')) : undefined,
      ),
    )
    expect(played.state).toMatchObject({ status: 'paused' })
    expect(asked).toBeLessThan(40)
  })
})
