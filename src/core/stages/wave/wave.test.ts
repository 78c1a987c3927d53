import { describe, expect, test } from 'vitest'
import { checkExit, coded, limits, ok, play, type World } from '../../../../test/kit/play.ts'
import { config, ids, planned, together, turningDownIn } from '../../../../test/kit/waves.ts'
import type { Event } from '../../../model/event.ts'

const health = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === 'health.changed' ? [event.health] : []))

describe('E7: stalled', () => {
  const red =
    (...names: string[]): World =>
    (work) =>
      work.kind === 'check' && names.includes(work.task ?? '') ? checkExit(1) : undefined
  const strict = limits({ fixCycles: 0, attempts: 3, splitDepth: 0, goalIterations: 0 })

  test('the same failure three times causes another approach by another agent, and the ladder continues', () => {
    const agents = { a: { command: ['a'] }, b: { command: ['b'] } }
    const played = play(
      config({ agents, ...limits({ fixCycles: 0, attempts: 5, splitDepth: 0, goalIterations: 0 }) }),
      planned(['T001'], red('T001')),
    )
    expect(health(played.events)[0]).toBe('STALLED')
    const [first] = played.of('recovery.begun')
    expect(first).toMatchObject({
      from: 'STALLED',
      n: 1,
      tasks: ['T001'],
      evidence: expect.stringContaining('the same failure 3 times'),
    })
    const who = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'turn' && work.role === 'coder' ? [work.agent] : []))
    expect(who).toEqual(['a', 'a', 'a', 'b', 'b'])
    expect(played.state).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('STALLED after 2 recoveries'),
    })
  })

  test('another approach starts with a fresh context, even when fixes continue a session', () => {
    const world: World = (work) =>
      work.kind === 'turn' && work.role === 'coder'
        ? { ...coded(), sessionId: `of ${work.slot.split('/')[1]}` }
        : undefined
    const run = config({
      sessions: 'resume',
      ...limits({ fixCycles: 1, attempts: 5, splitDepth: 0, goalIterations: 0 }),
    })
    const played = play(run, planned(['T001'], together(world, red('T001'))))
    expect(played.of('recovery.begun')).toHaveLength(2)
    const turns = played
      .of('work.started')
      .flatMap(({ work }) =>
        work.kind === 'turn' && work.role === 'coder' ? [`${work.id}: ${work.session?.id ?? 'afresh'}`] : [],
      )
    expect(turns).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`T001/a${n}/implement: afresh`, `T001/a${n}/fix1: of a${n}`]))
  })

  test('three failures in a row across tasks stall the run, unless another task can be tried', () => {
    let n = 0
    const world: World = (work) =>
      work.kind === 'check' && work.task !== 'T009' ? checkExit(1, { fingerprint: `f${n++}` }) : undefined
    const list = [...ids(3), 'T009']
    const thresholds = { approve: 70, revise: 50, failedTasksAbort: 1 }
    const played = play(config({ ...strict, thresholds }), planned(list, world))
    expect(played.of('health.changed')[0]).toMatchObject({
      health: 'STALLED',
      evidence: expect.stringContaining('failed attempts in a row'),
    })
    expect(played.state.tasks['T009']?.status).toBe('done')
  })

  test('slow progress is no stall', () => {
    const world: World = (work, state) => {
      if (work.kind !== 'check' || work.task === null) return undefined
      return (state.tasks[work.task]?.attempts ?? 0) < 3
        ? checkExit(1, { fingerprint: `${work.task} ${work.id}` })
        : undefined
    }
    const played = play(config(limits({ fixCycles: 0, attempts: 3, splitDepth: 0 })), planned(ids(4), world))
    expect(played.state.status).toBe('completed')
    expect(health(played.events)).toEqual([])
  })

  test('counters survive a restart; a person resets them, a recovery does not', () => {
    const world = planned(['T001'], red('T001'))
    const run = config(limits({ fixCycles: 0, attempts: 20, splitDepth: 0, goalIterations: 0 }))
    const played = play(run, world)
    expect(played.state.tasks['T001']?.attempts).toBe(5)
    const half = played.events.slice(0, played.events.findIndex(({ type }) => type === 'recovery.begun') + 1)
    expect(play(run, world, { from: half }).state.tasks['T001']?.attempts).toBe(5)
    expect(played.resume().state.tasks['T001']?.attempts).toBe(10)
  })
})

test('E7: blocked: the remaining tasks wait for a person, and the reason says for what', () => {
  const world = planned(['T001', 'T002'], (work) =>
    work.kind === 'turn' && work.task === 'T002'
      ? coded({ status: 'blocked', blocker: { kind: 'external', reason: 'no key' } })
      : undefined,
  )
  const played = play(config(), world)
  expect(played.state).toMatchObject({ status: 'paused', convergence: { health: 'BLOCKED', evidence: 'T002: no key' } })
})

describe('E8: checkpoints', () => {
  test('each wave without a regression makes a checkpoint of its landings and passing checks', () => {
    const played = play(config(), planned([{ id: 'T001', criteria: ['it works'] }, 'T002']))
    expect(played.state.checkpoints).toMatchObject([
      { id: 'C1', wave: 1, landings: 1, commit: 'commit of T001/a1/merge0', passing: ['test', 'T001: it works'] },
      { id: 'C2', wave: 2, landings: 2, commit: 'commit of T002/a1/merge0' },
    ])
  })

  test('progress counts met criteria, also after a person edits the criteria of a done task', () => {
    const played = play(config(), planned([{ id: 'T001', criteria: ['one', 'two'] }, 'T002']))
    expect(played.state.met).toBe(3)
    expect(played.state.landings.map(({ met }) => met)).toEqual([0, 2])
    expect(
      played.record({ type: 'task.edited', task: 'T001', edit: { criteria: ['one', 'two', 'three'] } }).state.met,
    ).toBe(4)
  })

  test('a wave without a landing makes no checkpoint', () => {
    const played = play(
      config(limits({ fixCycles: 0 })),
      planned(['T001'], (work) => (work.id.includes('/a1/check') ? checkExit(1) : undefined)),
    )
    expect(played.of('wave.closed')).toHaveLength(2)
    expect(played.state.checkpoints.map(({ id }) => id)).toEqual(['C1'])
  })
})

describe('E6 E7: reviewed waves', () => {
  const meta = config({ workflow: 'meta', review: true, parallel: 4, ...limits({ goalIterations: 0 }) })
  /** How often a review rejects each task. */
  const turningDown =
    (times: Record<string, number>): World =>
    (work, state) => {
      if (work.kind !== 'turn' || work.purpose !== 'review-wave') return undefined
      const verdicts = state.waveTasks.map((task) => ({
        task,
        approved: (times[task] ?? 0) <= (state.tasks[task]?.falls ?? 0),
        feedback: `not like this, ${task}`,
      }))
      return ok({ score: 80, summary: '', issues: [], missing: [], feedback: '', verdicts })
    }

  test('each task is approved or rejected on its own, with the feedback', () => {
    const played = play(meta, planned(['T001', 'T002'], turningDown({ T002: 1 })))
    expect(played.of('task.undone')).toMatchObject([
      { task: 'T002', why: 'review', failure: { detail: 'not like this, T002' } },
    ])
    expect(played.state).toMatchObject({ status: 'completed', tasks: { T001: { attempts: 1 }, T002: { attempts: 2 } } })
    expect(played.of('work.started').some(({ work }) => work.kind === 'turn' && work.purpose === 'verify-task')).toBe(
      false,
    )
  })

  test('flip-flopping by status: a task done and undone twice is rolled back, parked, and causes a question', () => {
    const played = play(meta, planned(['T001', 'T002'], turningDown({ T002: 9 })))
    expect(health(played.events)).toContain('FLIP-FLOPPING')
    expect(played.of('rolled.back')).toMatchObject([{ why: 'FLIP-FLOPPING' }])
    expect(played.state.questions).toMatchObject([
      { blocks: expect.arrayContaining(['T002']), text: expect.stringContaining('done and undone 2 times') },
    ])
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'question' } })
  })

  test('regressing: fewer met criteria in two consecutive waves roll back to the last good checkpoint', () => {
    const list = [...ids(4), { id: 'T005', dependsOn: ids(4) }]
    const played = play(meta, planned(list, turningDownIn({ 2: ['T003', 'T004'], 3: ['T001', 'T002', 'T005'] })))
    expect(played.of('health.changed')[0]).toMatchObject({
      health: 'REGRESSING',
      evidence:
        'fewer checks pass than before in two waves running: T003, T004, T001, T002, T005 passed and no longer do',
    })
    expect(played.of('rolled.back')).toMatchObject([
      { why: 'REGRESSING', checkpoint: 'C1', to: 'commit of T004/a1/merge0', tasks: ['T003', 'T004'] },
    ])
    expect(played.of('recovery.begun')).toMatchObject([{ from: 'REGRESSING', n: 1 }])
    expect(played.state.status).toBe('completed')
  })

  const many = ['one', 'two', 'three']

  test.each<[string, (string | Record<string, unknown>)[], Record<number, string[]>, boolean]>([
    [
      'tasks that fall while as many are done',
      [...ids(3), { id: 'T004', dependsOn: ids(3) }, { id: 'T005', dependsOn: ['T004'] }],
      { 2: ['T003'], 3: ['T001', 'T002'] },
      false,
    ],
    [
      'a task that falls with more criteria than are met meanwhile',
      [
        { id: 'T001', criteria: many },
        { id: 'T002', criteria: many },
        { id: 'T003', dependsOn: ['T001', 'T002'], criteria: ['one', 'two'] },
        { id: 'T004', dependsOn: ['T003'] },
      ],
      { 2: ['T001'], 3: ['T002', 'T003'] },
      true,
    ],
  ])('%s', (_name, list, down, isLess) => {
    const played = play(meta, planned(list, turningDownIn(down)))
    expect(health(played.events).includes('REGRESSING')).toBe(isLess)
    expect(played.state.status).toBe('completed')
  })
})

test('E7: regressing: checks get worse on the branch in two consecutive waves, without a culprit', () => {
  const checks = [
    { name: 'test', run: 'npm test' },
    { name: 'e2e', run: 'sh e2e.sh', when: 'wave' as const },
    { name: 'secret', run: 'sh secret.sh', when: 'wave' as const, hidden: true },
  ]
  const worseFrom: Record<string, number> = { e2e: 2, secret: 3 }
  const world: World = (work, state) => {
    if (work.kind !== 'check' || worseFrom[work.name] === undefined) return undefined
    const isWorse = state.antiPatterns.length === 0 && state.wave >= (worseFrom[work.name] ?? 0)
    return checkExit(1, { tests: 9, failing: isWorse ? ['old', 'new'] : ['old'], fingerprint: isWorse ? 'new' : 'old' })
  }
  const all = Array.from({ length: 24 }, (_, at) => `T${at + 1}`)
  const played = play(
    config({ checks, parallel: 8, baseline: 'no-worse' }),
    planned(
      all.map((id, at) => ({ id, dependsOn: all.slice(0, at - (at % 8)) })),
      world,
    ),
  )
  expect(
    played
      .of('branch.audited')
      .slice(0, 3)
      .map(({ red, worse }) => [red, worse]),
  ).toEqual([
    [undefined, undefined],
    [['e2e'], ['e2e']],
    [['e2e', 'secret'], ['a held-out check']],
  ])
  expect(played.of('task.undone')).toEqual([])
  expect(played.of('health.changed')[0]).toMatchObject({
    health: 'REGRESSING',
    evidence: 'fewer checks pass than before in two waves running: e2e, a held-out check got worse',
  })
  expect(played.of('rolled.back')).toMatchObject([{ why: 'REGRESSING', checkpoint: 'C1' }])
  expect(played.state.status).toBe('completed')
})

test('E8: no checkpoint on a tree on which a configured check is red', () => {
  const checks = [
    { name: 'test', run: 'npm test' },
    { name: 'whole', run: 'sh whole.sh', when: 'wave' as const },
  ]
  const played = play(
    config({ checks, ...limits({ goalIterations: 0 }) }),
    planned(['T001'], (work) => (work.kind === 'check' && work.name === 'whole' ? checkExit(1) : undefined)),
  )
  expect(played.state.checkpoints).toEqual([])
})

test('E7: an earlier stall is not blamed on the next task that fails, and an exhausted approach is no recovery', () => {
  const world: World = (work, state) => {
    if (work.kind !== 'check' || work.task === null) return undefined
    return work.task === 'T001' || (state.tasks[work.task]?.attempts ?? 0) < 2
      ? checkExit(1, { fingerprint: work.task })
      : undefined
  }
  const thresholds = { approve: 70, revise: 50, failedTasksAbort: 1 }
  const played = play(
    config({ thresholds, ...limits({ fixCycles: 0, attempts: 3, splitDepth: 0, goalIterations: 0 }) }),
    planned(['T001', 'T002'], world),
  )
  expect(played.state.tasks['T002']?.status).toBe('done')
  expect(
    played.of('recovery.begun').filter(({ tasks: concerned }) => concerned.includes('T001') || concerned.length === 0),
  ).toEqual([])
})
