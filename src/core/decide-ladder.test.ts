import { describe, expect, test } from 'vitest'
import { baseConfig, checkExit, limits, plan, play, tested, verdict, type World } from '../../test/kit/play.ts'
import { verificationWorkspace, type TurnWork, type Work } from '../model/work.ts'

const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
const startedTurns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))

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
    expect(played.of('attempt.failed')).toMatchObject([{ task: 'T001', repeated: 'failure' }])
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
    expect(played.of('attempt.failed')[0]?.repeated).toBeUndefined()
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

  describe('an agent that leaves the same tree with the same red check each time', () => {
    const sameTree: World = (work, ...rest) => {
      if (work.kind === 'inspect' && work.task === 'T001')
        return {
          kind: 'inspect',
          tree: 'same',
          files: ['a'],
          fileCount: 1,
          insertions: 1,
          deletions: 0,
          restored: false,
        }
      return red('T001')(work, ...rest)
    }
    const turnsOfT001 = (played: ReturnType<typeof play>): string[] =>
      startedTurns(played).filter((id) => id.startsWith('T001'))

    test('A5: a second attempt that ends there is the last, without a fix, a split or a goal iteration', () => {
      const played = play(baseConfig(limits({})), sameTree)
      const first = ['T001/a1/implement', 'T001/a1/fix1', 'T001/a1/fix2']
      expect(turnsOfT001(played)).toEqual([...first, 'T001/a2/implement'])
      expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 2 })
      expect(played.of('recovery.begun')).toEqual([])
    })

    test.each([{}, { recoveries: 0 }, { goalIterations: 1 }])(
      'A5: another agent gets the task, when there is one (%o)',
      (some) => {
        const agents = { ...baseConfig().agents, other: { command: ['other'] } }
        const played = play(baseConfig({ agents, ...limits({ splitDepth: 0, ...some }) }), sameTree)
        const took = played.of('task.started').flatMap(({ task, agent }) => (task === 'T001' ? [agent] : []))
        expect(took.slice(0, 3)).toEqual([took[0], took[0], 'other'])
        expect(new Set(took.slice(2))).toEqual(new Set(['other']))
      },
    )

    test('A5: without fixes the third attempt is the last', () => {
      const played = play(baseConfig(limits({ fixCycles: 0, attempts: 9 })), sameTree)
      expect(turnsOfT001(played)).toHaveLength(3)
    })

    test('A5: another tree gets its fixes', () => {
      const trees: World = (work, ...rest) => {
        const seen = sameTree(work, ...rest)
        return seen?.kind === 'inspect' ? { ...seen, tree: work.id } : seen
      }
      const played = play(baseConfig(limits({ splitDepth: 0, goalIterations: 0 })), trees)
      expect(turnsOfT001(played)).toHaveLength(9)
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
