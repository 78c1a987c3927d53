import { describe, expect, test } from 'vitest'
import { baseConfig, checkExit, limits, play, planOf, type Played, type World } from '../../../../test/kit/play.ts'
import type { CannotRun } from '../../../model/cannot-run.ts'
import type { RunConfig } from '../../../model/config.ts'
import type { CheckOutcome, CheckWork } from '../../../model/work.ts'

const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ review: false, baseline: 'pause', checkReruns: 0, ...changes })
const world =
  (answer: (work: CheckWork) => CheckOutcome | undefined): World =>
  (work) => {
    if (work.kind === 'turn' && work.purpose === 'split') return planOf([{ title: 'a' }, { title: 'b' }])
    if (work.kind === 'turn' && work.role === 'planner')
      return planOf(Array.from({ length: 8 }, (_, index) => ({ id: `T00${index + 1}` })))
    return work.kind === 'check' ? answer(work) : undefined
  }
const zod: CannotRun = { kind: 'module', subject: 'zod', line: 'Cannot find package zod' }
const turns = (played: Played): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' && work.role !== 'planner' ? [work.id] : []))
const commands = ({ state }: Played): string[] => (state.pause?.remedies ?? []).flatMap(({ command }) => command ?? [])
const isBase = ({ id }: CheckWork): boolean => id.startsWith('baseline/')
const isProbe = ({ id }: CheckWork): boolean => /\/probe\d*\/1/.test(id)

describe.each([1, 2, 4])('%i at a time', (parallel) => {
  test('a check that cannot run any more stops the run, and no agent is asked to fix it', () => {
    const played = play(
      config({ parallel }),
      world((work) => (isBase(work) ? undefined : checkExit(1, { cannotRun: zod, tail: zod.line }))),
    )
    // A candidate that waits for its check leaves its slot to the next task.
    expect(turns(played).length).toBeLessThanOrEqual(Math.min(6, 2 * parallel))
    expect(played.of('attempt.fixing')).toEqual([])
    expect(played.state.pause).toMatchObject({
      kind: 'health',
      detail: 'the check test cannot run any more: the package zod is not installed',
      output: zod.line,
    })
    expect(played.state.pause?.hint).toMatch(/looper resume/)
  })

  test('a check that turned red on the run branch itself stops the run at the second failure', () => {
    const played = play(
      config({ parallel }),
      world((work) => (isBase(work) ? undefined : checkExit(1))),
    )
    expect(turns(played).length).toBeLessThanOrEqual(6)
    expect(played.of('attempt.fixing').length).toBeLessThanOrEqual(1)
    expect(played.state.pause).toMatchObject({
      kind: 'health',
      detail: 'the check test fails on the run branch itself, where it passed before; no task can repair that',
      hint: 'Repair what the check needs outside the repository, then: looper resume',
    })
    expect(commands(played)).toEqual([
      'looper run "<goal>" --baseline fix-first',
      'looper fork 001-x --at last --check "<command>"',
    ])
  })
})

test('what has landed is applied before a new run repairs the check', () => {
  const isLanded = (work: CheckWork): boolean => work.task === 'T001'
  const played = play(
    config({ parallel: 1 }),
    world((work) => (isBase(work) || isLanded(work) ? undefined : checkExit(1))),
  )
  expect(commands(played)[0]).toBe('looper apply 001-x && looper run "<goal>" --baseline fix-first')
})

test('a setting that helps is used with its option, and a commit on another branch is not asked for', () => {
  const unable = (cannotRun: CannotRun): Played =>
    play(
      config(),
      world((work) => (isBase(work) ? undefined : checkExit(1, { cannotRun }))),
    )
  const played = unable(zod)
  expect(played.state.pause?.hint).toBe('Have the set-up install it in each workspace, then: looper resume --settings')
  expect(commands(played)[0]).toBe("looper config set workspace.setup 'npm install'")
  expect(unable({ kind: 'target', subject: 'script test', line: 'no script' }).state.pause?.hint).toBe(
    'Repair what the check needs outside the repository, then: looper resume',
  )
})

test('after the repair the checks run again, and no turn is repeated', () => {
  let isRepaired = false
  const played = play(
    config(),
    world((work) => (isBase(work) || isRepaired ? undefined : checkExit(1, { cannotRun: zod }))),
  )
  const before = turns(played)
  isRepaired = true
  played.resume()
  expect(played.state.status).toBe('completed')
  expect(turns(played).filter((id) => before.includes(id))).toEqual(before)
  expect(turns(played)).toHaveLength(8)
})

test('the same package missing with the changes of two tasks stops the run', () => {
  const played = play(
    config({ parallel: 2 }),
    world((work) => (isBase(work) || isProbe(work) ? undefined : checkExit(1, { cannotRun: zod }))),
  )
  expect(played.state.pause).toMatchObject({
    kind: 'health',
    detail: 'the check test cannot run with the changes of T001 and T002: the package zod is not installed',
  })
  expect(turns(played).length).toBeLessThanOrEqual(6)
  expect(commands(played)).toContain('looper task skip T002 --run 001-x')
})

/** The turns of one task that fails in the same way all the time: three attempts, each ended by the third repeat. */
const alone = 9

describe.each([1, 2, 3, 4, 6, 8])('the same failure with the changes of several tasks, %i at a time', (parallel) => {
  const alike = (work: CheckWork): CheckOutcome | undefined =>
    isBase(work) || isProbe(work) ? undefined : checkExit(1, { tail: 'Error: no key' })

  test('stops the run and names it', () => {
    const played = play(config({ parallel }), world(alike))
    expect(played.state.pause).toMatchObject({
      kind: 'health',
      detail: expect.stringMatching(
        /^the check test fails in the same way with the changes of T00\d(?: and T00\d|, T00\d and \d more): Error: no key$/,
      ),
    })
    expect(turns(played).length).toBeLessThanOrEqual(Math.max(6, parallel))
    expect(commands(played).some((command) => /^looper task skip T00\d --run 001-x$/.test(command))).toBe(true)
  })

  test('costs at most six turns when there is one slot for each task', () => {
    const plan = Array.from({ length: parallel }, (_, index) => ({ id: `T00${index + 1}` }))
    const played = play(config({ parallel }), (work) => {
      if (work.kind === 'turn' && work.role === 'planner') return planOf(plan)
      return work.kind === 'check' ? alike(work) : undefined
    })
    if (parallel === 1) return expect(played.state.pause).toBeNull()
    expect(played.state.status).toBe('paused')
    expect(turns(played).length).toBeLessThanOrEqual(Math.max(6, parallel))
  })

  test.each([2, 5, 12])('costs at most six turns, or one for each slot, with %i tasks', (tasks) => {
    const plan = Array.from({ length: tasks }, (_, index) => ({ id: `T${100 + index}` }))
    const unable = checkExit(1, { cannotRun: zod, tail: zod.line })
    for (const red of [checkExit(1, { tail: 'Error: no key' }), unable]) {
      const played = play(config({ parallel }), (work) => {
        if (work.kind === 'turn' && work.purpose === 'split') return planOf([{ title: 'a' }, { title: 'b' }])
        if (work.kind === 'turn' && work.role === 'planner') return planOf(plan)
        return work.kind === 'check' && !isBase(work) && !isProbe(work) ? red : undefined
      })
      expect(played.state.status).toBe('paused')
      expect(turns(played).length).toBeLessThanOrEqual(Math.max(6, parallel))
    }
  })

  test('waits with the first fix only until another change passes the check', () => {
    const tasks = Math.max(6, parallel)
    const plan = Array.from({ length: tasks }, (_, index) => ({ id: `T00${index + 1}` }))
    const played = play(config({ parallel }), (work, state) => {
      if (work.kind === 'turn' && work.role === 'planner') return planOf(plan)
      if (work.kind !== 'check' || isBase(work) || isProbe(work) || work.task !== 'T001') return undefined
      return state.tasks['T001']?.attempt?.round === 0 ? checkExit(1) : undefined
    })
    expect(played.state).toMatchObject({ status: 'completed', counts: { done: tasks } })
    expect(turns(played)).toHaveLength(tasks + 1)
  })

  test('is left to the task that fixes it first, and then to the others', () => {
    const played = play(config({ parallel }), (work, state) => {
      if (work.kind === 'turn' && work.role === 'planner')
        return planOf(Array.from({ length: 4 }, (_, index) => ({ id: `T00${index + 1}` })))
      if (work.kind !== 'check' || isBase(work) || isProbe(work) || work.task === null) return undefined
      return state.tasks[work.task]?.attempt?.round === 0 ? checkExit(1) : undefined
    })
    expect(played.state).toMatchObject({ status: 'completed', counts: { done: 4 } })
    expect(played.of('run.paused')).toEqual([])
    expect(turns(played)).toHaveLength(8)
  })
})

test('halves of a split that fail alike stop the run', () => {
  const played = play(config({ ...limits({ attempts: 2 }) }), (work, state) => {
    if (work.kind === 'turn' && work.role === 'planner')
      return work.purpose === 'split' ? undefined : planOf([{ id: 'T001' }])
    if (work.kind !== 'check' || isBase(work) || isProbe(work)) return undefined
    return checkExit(1, work.task === 'T001' ? { fingerprint: `a${state.tasks['T001']?.attempts}` } : {})
  })
  expect(played.state.pause?.detail).toMatch(/with the changes of T001\.1 and T001\.2|T001\.2 and T001\.1/)
  expect(turns(played).filter((id) => /T001\.\d/.test(id)).length).toBeLessThanOrEqual(6)
})

test('a set-up that fails with the change of a task is its cause, and no reason to split', () => {
  const message = (log: number): string =>
    `The set-up command \`npm ci\` failed with exit code 1: npm error Missing: left-pad from lock file | log ${log}`
  let log = 0
  const failing = (tasks: string[]): Played =>
    play(config({ parallel: 1 }), (work) => {
      if (work.kind === 'turn' && work.role === 'planner') return planOf(tasks.map((id) => ({ id })))
      if (work.kind !== 'check' || isBase(work) || isProbe(work)) return undefined
      return { kind: 'failure', code: 'WORKSPACE_SETUP', message: message(log++) }
    })
  const alone = failing(['T001'])
  expect(turns(alone).length).toBeLessThanOrEqual(6)
  expect(alone.state).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('test failed (set-up failed: npm error Missing: left-pad from lock file'),
  })
  const both = failing(['T001', 'T002'])
  expect(both.state.pause?.detail).toMatch(/T001 and T002: the set-up fails: npm error Missing: left-pad/)
  expect(turns(both).length).toBeLessThanOrEqual(6)
})

test('a task that repairs the base is not split', () => {
  const played = play(
    config({ baseline: 'fix-first' }),
    world(() => checkExit(1)),
  )
  expect(played.state.status).toBe('failed')
  expect(turns(played).length).toBeLessThanOrEqual(alone)
  expect(Object.keys(played.state.tasks)).not.toContain('B001.1')
  let n = 0
  const varied = play(
    config({ baseline: 'fix-first' }),
    world(() => checkExit(1, { fingerprint: `f${n++}` })),
  )
  expect(Object.keys(varied.state.tasks)).not.toContain('B001.1')
})

test('when the other task is skipped, a single task repairs the cause itself', () => {
  let isRepaired = false
  const played = play(config({ parallel: 1 }), (work, state) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf([{ id: 'T001' }, { id: 'T002' }])
    isRepaired ||= work.kind === 'turn' && work.purpose === 'fix' && state.tasks['T001']?.status === 'cancelled'
    if (work.kind !== 'check' || isBase(work) || isProbe(work) || isRepaired) return undefined
    return checkExit(1, { cannotRun: zod })
  })
  expect(played.state.pause?.detail).toContain('the changes of T001 and T002')
  played.record({
    type: 'task.finished',
    task: 'T001',
    status: 'cancelled',
    reason: null,
    block: null,
    evidence: [],
    commit: null,
    summary: null,
  })
  played.resume()
  expect(played.state).toMatchObject({ status: 'completed', counts: { done: 1, cancelled: 1 } })
})

test('a failure of one task alone is its own', () => {
  const played = play(
    config({ ...limits({ goalIterations: 0, splitDepth: 0 }) }),
    world(({ task }) => (task === 'T001' ? checkExit(1, { cannotRun: zod }) : undefined)),
  )
  expect(played.state).toMatchObject({ status: 'failed', counts: { failed: 1, done: 7 } })
})

test('a check that was red before the first task is no shared cause', () => {
  const red = checkExit(1, { failing: ['a'], passing: 3, tests: 4 })
  const played = play(
    config({ ...limits({ goalIterations: 0 }) }),
    world((work) => (work.task === 'T001' ? checkExit(1, { failing: ['a', 'b'], passing: 2, tests: 4 }) : red)),
  )
  expect(played.of('run.paused')).toEqual([])
})
