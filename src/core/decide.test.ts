import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  coded,
  invalid,
  limits,
  ok,
  plan,
  planOf,
  play,
  tested,
  verdict,
  type World,
} from '../../test/kit/play.ts'
import { verificationWorkspace, type TurnWork, type Work } from '../model/work.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'

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

describe('the ladder', () => {
  const red =
    (task: string): World =>
    (work) =>
      work.kind === 'check' && work.task === task ? checkExit(1) : undefined
  /** Each run of the check fails in another way. */
  const redInTurn =
    (task: string): World =>
    (work) =>
      work.kind === 'check' && work.task?.startsWith(task) ? checkExit(1, { fingerprint: work.id }) : undefined

  test('A4: the same failure three times in a row ends the attempt', () => {
    const played = play(baseConfig(limits({ attempts: 1, splitDepth: 0, goalIterations: 0 })), red('T001'))
    expect(startedTurns(played).filter((id) => id.startsWith('T001'))).toEqual([
      'T001/a1/implement',
      'T001/a1/fix1',
      'T001/a1/fix2',
    ])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 1, fixCycles: 2 })
  })

  test('A4: a red check is fixed in place at most three times, then the attempt fails', () => {
    const played = play(baseConfig(limits({ attempts: 1, splitDepth: 0, goalIterations: 0 })), redInTurn('T001'))
    expect(startedTurns(played).filter((id) => id.startsWith('T001'))).toEqual([
      'T001/a1/implement',
      'T001/a1/fix1',
      'T001/a1/fix2',
      'T001/a1/fix3',
    ])
    expect(played.state).toMatchObject({ status: 'failed' })
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 1, fixCycles: 3 })
  })

  test('A5: after three attempts the task is split, and its dependents wait for the children', () => {
    const played = play(baseConfig(limits({ fixCycles: 0 })), red('T001'))
    expect(played.state.status).toBe('completed')
    expect(played.state.tasks['T001']).toMatchObject({ status: 'split', attempts: 3, children: ['T001.1', 'T001.2'] })
    const order = played.of('task.finished').map(({ task }) => task)
    expect(order).toEqual(['T001', 'T001.1', 'T001.2', 'T002'])
  })

  test('A5: a task that three attempts change nothing for is not reopened, and says that it may be done', () => {
    const played = play(baseConfig(limits({ splitDepth: 0 })), (work) =>
      work.kind === 'inspect' && work.task === 'T001'
        ? { kind: 'inspect', tree: 'same', files: [], fileCount: 0, insertions: 0, deletions: 0, restored: false }
        : undefined,
    )
    expect(played.state.tasks['T001']).toMatchObject({
      status: 'failed',
      attempts: 3,
      reason: expect.stringContaining('it may be done already: looper task skip T001 --run 001-x'),
    })
  })

  test('A5: splitting goes no deeper than splitDepth', () => {
    const played = play(
      baseConfig(limits({ fixCycles: 0, attempts: 1, splitDepth: 2, goalIterations: 0 })),
      redInTurn('T001'),
    )
    expect(Math.max(...Object.values(played.state.tasks).map(({ depth }) => depth))).toBe(2)
    expect(played.state.status).toBe('failed')
  })

  test('A5: a part that fails as the whole did is not split again', () => {
    const same: World = (work) => (work.kind === 'check' && work.task?.startsWith('T001') ? checkExit(1) : undefined)
    const played = play(baseConfig(limits({ fixCycles: 0, attempts: 1, splitDepth: 2, goalIterations: 0 })), same)
    expect(Math.max(...Object.values(played.state.tasks).map(({ depth }) => depth))).toBe(1)
    expect(played.state.status).toBe('failed')
  })

  test('A5: a check that cannot run is no reason to split', () => {
    const cannotRun = { kind: 'module', subject: 'zod', line: 'no zod' } as const
    const lost: World = (work) =>
      work.kind === 'check' && work.task === 'T001' ? checkExit(1, { cannotRun }) : undefined
    const played = play(baseConfig(limits({ fixCycles: 0, attempts: 1, splitDepth: 2, goalIterations: 0 })), lost)
    expect(played.of('attempt.failed')).toMatchObject([{ next: 'fail' }])
  })

  test('A5: failed tasks are retried once per goal iteration, then the run fails', () => {
    const played = play(
      baseConfig(limits({ fixCycles: 0, attempts: 2, splitDepth: 0, goalIterations: 3 })),
      red('T001'),
    )
    expect(played.state.tasks['T001']?.attempts).toBe(5)
    expect(played.state).toMatchObject({ status: 'failed', goalIteration: 3 })
  })

  test('A8: more than half of four or more tasks failed ends the run at once', () => {
    const world: World = (work) => {
      if (work.kind === 'turn' && work.role === 'planner') return plan('a', 'b', 'c', 'd')
      return work.kind === 'check' && work.task !== 'd' ? checkExit(1) : undefined
    }
    const played = play(baseConfig({ parallel: 1, ...limits({ fixCycles: 0, attempts: 1, splitDepth: 0 }) }), world)
    expect(played.state).toMatchObject({
      status: 'failed',
      goalIteration: 0,
      reason: expect.stringContaining('3 of 4'),
    })
    expect(played.state.tasks['d']?.status).toBe('todo')
  })

  test('a rejection by the supervisor starts a new attempt', () => {
    const scores = [40, 90]
    const played = play(
      baseConfig(),
      turn((work) =>
        work.purpose === 'verify-task' && work.task === 'T001'
          ? verdict(scores.shift() ?? 0, { approved: true })
          : undefined,
      ),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status: 'done', attempts: 2 })
    expect(played.state.tasks['T001']?.failures[0]).toMatchObject({
      kind: 'verdict',
      detail: expect.stringContaining('score was 40'),
    })
  })

  test('a score of 100 does not overrule a red check', () => {
    const played = play(baseConfig(limits({ attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 0 })), (work) =>
      work.kind === 'check'
        ? checkExit(1)
        : work.kind === 'turn' && work.role === 'supervisor'
          ? verdict(100)
          : undefined,
    )
    expect(played.state.status).toBe('failed')
  })

  test('a task that changed nothing is not done', () => {
    const played = play(baseConfig(limits({ attempts: 1, splitDepth: 0, goalIterations: 0 })), (work) =>
      work.kind === 'inspect'
        ? { kind: 'inspect', tree: 't0', files: [], fileCount: 0, insertions: 0, deletions: 0, restored: false }
        : undefined,
    )
    expect(played.of('attempt.failed')[0]?.failure.kind).toBe('no-change')
    expect(played.state.status).toBe('failed')
  })

  test('zero tests executed is not a pass', () => {
    const played = play(baseConfig(limits({ attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 0 })), (work) =>
      work.kind === 'check' ? checkExit(0, { tests: 0 }) : undefined,
    )
    expect(played.of('check.finished')[0]).toMatchObject({ passed: false, note: 'no test was executed' })
    expect(played.state.status).toBe('failed')
  })

  test('a tester that failed leads to a fix', () => {
    const answers = [tested({ status: 'failed', failures: [{ name: 'adds', error: 'off by one' }] })]
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'tester' ? answers.shift() : undefined)),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status: 'done', fixCycles: 1 })
  })
})

describe('A6: escalation', () => {
  test('above five issues the supervisor aborts the run', () => {
    const issues = Array.from({ length: 6 }, (_, at) => ({ severity: 'major', message: `m${at}` }))
    const played = play(
      baseConfig(),
      turn((work) => (work.purpose === 'verify-task' ? verdict(40, { issues }) : undefined)),
    )
    expect(played.state).toMatchObject({ status: 'failed', reason: expect.stringContaining('aborted') })
  })
})

describe('merging', () => {
  const merged = (work: Work): boolean => work.kind === 'integrate' && work.step.kind === 'merge'

  test('a merged tree is checked once, in a verification workspace, and lands exactly as checked', () => {
    const played = play(baseConfig(), (work) =>
      merged(work)
        ? { kind: 'integrate', status: 'merged', commit: `m of ${work.id}`, tree: 'other', onto: 'c1' }
        : undefined,
    )
    const checks = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'check' && work.task === 'T001' ? [work] : []))
    expect(checks).toMatchObject([{ workspace: verificationWorkspace, tree: 'other', commit: 'm of T001/a1/merge0' }])
    expect(played.of('check.finished').filter((event) => event.task === 'T001')).toMatchObject([
      { merged: true, tree: 'other' },
    ])
    expect(played.state.tasks['T001']?.evidence).toMatchObject([{ tree: 'other' }])
    expect(played.state.status).toBe('completed')
  })

  test('a red merge is fixed on the new base', () => {
    let reds = 1
    const played = play(baseConfig(), (work) => {
      if (merged(work))
        return { kind: 'integrate', status: 'merged', commit: `m of ${work.id}`, tree: 'other', onto: 'c1' }
      return work.kind === 'check' && reds-- > 0 ? checkExit(1) : undefined
    })
    const moves = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'integrate' && work.step.kind === 'move' ? [work] : []))
    expect(moves).toMatchObject([{ id: 'T001/a1/move0', step: { tree: 'other', onto: 'c1' } }])
    expect(played.of('attempt.fixing')[0]).toMatchObject({ task: 'T001', base: 'c1', tree: 'other' })
    expect(played.state.status).toBe('completed')
  })

  test('F15: endless conflicts fail the task, after three attempts that cost none of its own attempts', () => {
    const played = play(baseConfig(limits({ goalIterations: 0 })), (work) =>
      merged(work) && work.id.startsWith('T001')
        ? { kind: 'integrate', status: 'conflict', onto: 'c1', files: ['a.ts'], tree: 'both' }
        : undefined,
    )
    expect(played.state.tasks['T001']).toMatchObject({
      status: 'failed',
      attempts: 4,
      reason: expect.stringContaining('a.ts'),
    })
  })

  test('merges are made one at a time', () => {
    let most = 0
    play(baseConfig(), (work, state) => {
      most = Math.max(most, Object.values(state.works).filter((entry) => entry.work.kind === 'integrate').length)
      return work.kind === 'turn' && work.role === 'planner' ? plan('a', 'b', 'c', 'd') : undefined
    })
    expect(most).toBe(1)
  })
})

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

describe('regressions found in review', () => {
  test('a task that a person adds before the plan is adopted replaces no planned task', () => {
    const asking = planOf([], {
      status: 'needs_clarification',
      questions: [{ text: 'which?', options: [], default: null, blocks: [] }],
    })
    const answers = [asking, plan('T001', ['T002', ['T001']])]
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'planner' ? answers.shift() : undefined)),
    )
    const spec = {
      title: 'mine',
      description: '',
      complexity: 'medium',
      type: null,
      dependsOn: [],
      criteria: [],
      checks: [],
      files: [],
      priority: 1000,
      parent: null,
      depth: 0,
    } as const
    played.record({
      type: 'task.added',
      task: { ...spec, id: 'T001', dependsOn: [], criteria: [], checks: [], files: [] },
      origin: 'command/1',
    })
    played.record({ type: 'question.answered', question: 'Q1', answer: 'this', by: 'person' })
    expect(played.resume().state.status).toBe('completed')
    expect(Object.values(played.state.tasks).map(({ id, title, dependsOn }) => [id, title, dependsOn])).toEqual([
      ['T001', 'mine', []],
      ['T003', 'T001', []],
      ['T002', 'T002', ['T003']],
    ])
  })

  test('an auth error lets the turns of other tasks end before the run pauses', () => {
    const world: World = turn((work) => {
      if (work.role === 'planner') return plan('a', 'b')
      return work.id === 'a/a1/implement' ? agentError('auth') : undefined
    })
    const played = play(baseConfig(), world)
    expect(played.of('work.lost').filter(({ id }) => id.startsWith('b/'))).toEqual([])
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'auth' } })
    expect(played.events.at(-1)?.type).toBe('run.paused')
    expect(
      played.resume(
        undefined,
        turn((work) => (work.role === 'planner' ? plan('a', 'b') : undefined)),
      ).state.status,
    ).toBe('completed')
  })

  test('a pause takes effect while the run waits', () => {
    const played = play(baseConfig(), (work, state) => {
      if (work.kind === 'wait' && !work.id.startsWith('limit/')) state.request = 'pause'
      return work.kind === 'turn' && work.id === 'plan/r0'
        ? agentError('usage_limit', '2026-01-01T05:00:00Z')
        : undefined
    })
    expect(played.state.status).toBe('paused')
  })

  test('one human answer does not allow unlimited questions', () => {
    let question = 0
    const played = play(
      baseConfig(limits({ goalIterations: 0 })),
      turn((work) =>
        work.role === 'coder' && work.task === 'T001'
          ? coded({
              status: 'needs_clarification',
              questions: [{ text: 'q', options: [], default: question++ === 0 ? null : 'x', blocks: [] }],
            })
          : undefined,
      ),
    )
    played.record({ type: 'question.answered', question: 'Q1', answer: 'that', by: 'person' })
    expect(played.resume().state.status).toBe('failed')
    expect(played.state.tasks['T001']?.attempts).toBeLessThanOrEqual(4)
  })

  test('a split child may not wait for its parent', () => {
    const bad = planOf([{ id: 'x', dependsOn: ['T001'] }, { id: 'y' }])
    const played = play(baseConfig(limits({ attempts: 1, fixCycles: 0, goalIterations: 0 })), (work) => {
      if (work.kind === 'check' && work.task === 'T001') return checkExit(1)
      return work.kind === 'turn' && work.id === 'T001/split1' ? bad : undefined
    })
    expect(startedTurns(played)).toContain('T001/split1.repair')
    expect(played.state.status).toBe('completed')
  })

  test('questions of the plan block their tasks, also after a renaming', () => {
    const asked = planOf([{ id: '../x' }, { id: 'b' }], {
      questions: [{ text: 'which?', options: [], default: null, blocks: ['../x'] }],
    })
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'planner' ? asked : undefined)),
    )
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'question' } })
    expect(played.state.tasks['T001']?.status).toBe('blocked')
  })

  test('an aborted run has ended, also when it had failed before', () => {
    const played = play(
      baseConfig(),
      turn((work) => (work.purpose === 'verify-goal' ? verdict(10) : undefined)),
    )
    played.record({ type: 'stop.requested', how: 'abort' })
    expect(decide(played.state).facts).toMatchObject([{ type: 'run.ended', status: 'aborted' }])
  })

  test('the reserve of running turns counts against the budget', () => {
    const costly: World = turn((work) => {
      if (work.role === 'planner') return plan('a', 'b', 'c', 'd')
      return work.role === 'coder'
        ? ok(
            { status: 'complete', summary: '', files: [], decisions: [], questions: [], newTasks: [] },
            { costUsd: 1, inputTokens: 0, outputTokens: 0 },
          )
        : undefined
    })
    const played = play(baseConfig({ review: false, parallel: 2, ...limits({ costUsd: 2 }) }), costly)
    expect(played.state.usage.costUsd).toBe(2)
    expect(played.state.status).toBe('paused')
  })

  test('checks run at most `checksParallel` at a time', () => {
    let most = 0
    play(baseConfig({ review: false, checksParallel: 2, race: { simple: 3 } }), (work, state) => {
      most = Math.max(most, Object.values(state.works).filter((entry) => entry.work.kind === 'check').length)
      return work.kind === 'turn' && work.role === 'planner' ? plan('a', 'b') : undefined
    })
    expect(most).toBe(2)
  })

  test('a task added while the goal is verified is built before the run ends', () => {
    const played = play(baseConfig(), (work, state) => {
      if (work.kind === 'turn' && work.purpose === 'verify-goal' && !state.tasks['T009']) {
        evolve(state, {
          seq: state.seq,
          at: state.lastAt,
          type: 'task.added',
          origin: 'command/9',
          task: {
            id: 'T009',
            title: 't',
            description: '',
            complexity: 'simple',
            type: null,
            dependsOn: [],
            criteria: [],
            checks: [],
            files: [],
            priority: 1,
            parent: null,
            depth: 0,
          },
        })
      }
      return undefined
    })
    expect(played.state).toMatchObject({ status: 'completed' })
    expect(played.state.tasks['T009']?.status).toBe('done')
  })

  test('a crashing agent causes no split', () => {
    const played = play(
      baseConfig(limits({ goalIterations: 0 })),
      turn((work) => (work.role === 'coder' && work.task === 'T001' ? agentError('crash') : undefined)),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 3, children: [] })
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
