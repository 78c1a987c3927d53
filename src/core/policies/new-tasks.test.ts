/** Greedy agents: whatever they add, split or ask, the run stays within its limits and reports what it left out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  baseConfig,
  checkExit,
  coded,
  iterated,
  limits,
  outcomeFor,
  plan,
  planOf,
  play,
  tested,
  verdict,
  type Played,
  type World,
  task as answer,
} from '../../../test/kit/play.ts'
import type { Limits, RunConfig } from '../../model/config.ts'
import type { SourceTask } from '../../model/source.ts'
import type { Outcome, TurnWork, Work } from '../../model/work.ts'

const many = (count: number): Record<string, unknown>[] => Array.from({ length: count }, (_, n) => answer(`n${n}`))
const question = (n: number): Record<string, unknown> => ({ text: `q${n}`, options: [], default: 'yes', blocks: [] })
const decision = (n: number): Record<string, unknown> => ({
  title: `d${n}`,
  context: '',
  choice: '',
  alternatives: [],
  dependsOn: [],
  invalidatedIf: null,
})

const byAgents = ({ state }: Played): number =>
  state.order.filter((id) => {
    const task = state.tasks[id]
    return task?.parent === null && !/^(?:plan\/|source$)/.test(task.origin)
  }).length
const warnings = ({ state }: Played): string[] => state.findings.map(({ title, detail }) => `${title}: ${detail}`)

const coder =
  (more: Record<string, unknown>): World =>
  (work) =>
    work.kind === 'turn' && work.role === 'coder' && work.task === 'T001' ? coded(more) : undefined

describe('new tasks of one answer', () => {
  const one = (newTasks: Record<string, unknown>[], changes: Partial<Limits> = {}): Played =>
    play(baseConfig({ review: false, ...limits({ splitDepth: 1, ...changes }) }), coder({ newTasks }))

  test('at most ten, and the run reports how many were left out', () => {
    const played = one(many(12))
    expect(byAgents(played)).toBe(10)
    expect(played.state.status).toBe('completed')
    expect(warnings(played)).toEqual([
      '2 of 12 new tasks were not accepted: one task may add 10, agents may add 20 in a run (limits.newTasks), and 0 had been added before',
    ])
  })

  test.each([
    [0, 0, '3 of 3'],
    [2, 2, '1 of 3'],
    [3, 3, null],
    [null, 3, null],
  ])('of three with limits.newTasks %j: %i', (most, added, left) => {
    const played = one(many(3), { newTasks: most })
    expect(byAgents(played)).toBe(added)
    expect(warnings(played)).toEqual(
      left === null ? [] : [expect.stringContaining(`${left} new tasks were not accepted`)],
    )
  })

  test('a task that depends on a refused task is refused, too, and so are its dependents', () => {
    const played = one([answer('a', ['d']), answer('b', ['a']), answer('c'), answer('d')], { newTasks: 3 })
    expect(
      played
        .of('task.added')
        .slice(2)
        .map(({ task }) => task.title),
    ).toEqual(['c'])
    expect(warnings(played)[0]).toMatch(/^3 of 4 /)
    expect(played.state.status).toBe('completed')
  })

  test('a dependency written as depends_on counts as well', () => {
    const played = one([{ ...answer('a'), depends_on: ['b'] }, answer('b')], { newTasks: 1 })
    expect(byAgents(played)).toBe(0)
    expect(warnings(played)[0]).toMatch(/^2 of 2 /)
  })

  test('planned tasks, tasks of a person and split parts do not count', () => {
    const played = play(
      baseConfig({ review: false, ...limits({ newTasks: 1, attempts: 1, goalIterations: 0 }) }),
      (work) => {
        if (work.kind === 'turn' && work.role === 'planner' && work.purpose === 'plan')
          return plan('T001', 'T002', 'T003')
        if (work.kind === 'check' && work.task === 'T001') return checkExit(1)
        return work.kind === 'turn' && work.task === 'T003' ? coded({ newTasks: many(1) }) : undefined
      },
    )
    expect(played.state.tasks['T001']?.status).toBe('split')
    expect(byAgents(played)).toBe(1)
  })

  test('a run of an older version has the default limit', () => {
    const config = baseConfig({ review: false })
    delete config.limits.newTasks
    expect(byAgents(play(config, coder({ newTasks: many(3) })))).toBe(3)
  })
})

test('questions and decisions of one answer are limited, and the excess is reported once', () => {
  const questions = Array.from({ length: 30 }, (_, n) => question(n))
  const decisions = Array.from({ length: 30 }, (_, n) => decision(n))
  const played = play(baseConfig({ review: false }), coder({ questions, decisions }))
  expect(played.state.questions).toHaveLength(10)
  expect(played.state.decisions).toHaveLength(20)
  expect(warnings(played)).toEqual([
    '10 of 30 decisions were not accepted: one answer may have 20',
    '20 of 30 questions were not accepted: one answer may have 10',
  ])
  const blocked = play(baseConfig({ review: false }), coder({ status: 'needs_clarification', questions }))
  expect(warnings(blocked).filter((each) => each.includes('questions'))).toHaveLength(
    new Set(blocked.of('finding.raised').map(({ origin }) => origin)).size,
  )
})

const backlog: readonly SourceTask[] = [1, 2, 3].map((n) => ({
  id: `T${n}`,
  title: `t${n}`,
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 1,
  status: 'todo',
  reason: null,
}))

const withBacklog =
  (world: World): World =>
  (work, state) =>
    work.kind === 'sync' && work.id === 'look/0'
      ? ({ ...outcomeFor(work), tasks: backlog } as Outcome)
      : world(work, state)

test('a review whose tasks depend on one that was left out adds none, and the run reports it', () => {
  const tasks = [answer('a', ['T005']), { ...answer('b'), id: undefined }]
  const config = baseConfig({ review: true, workflow: 'backlog', ...limits({ newTasks: 1, goalIterations: 1 }) })
  const played = play(
    config,
    withBacklog((work) =>
      work.kind === 'turn' && work.purpose === 'review' ? iterated({ new_tasks: tasks }) : undefined,
    ),
  )
  expect(played.of('backlog.reviewed').map(({ added }) => added)).toEqual([0])
  expect(warnings(played)).toEqual([
    expect.stringMatching(/^1 of 2 new tasks were not accepted/),
    '1 new tasks were not accepted: task "a" depends on "T005", which does not exist',
  ])
})

/** Deterministic dice. */
function roll(seed: number, id: string): number {
  let hash = seed | 0
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x5bd1e995)
  hash ^= hash >>> 15
  return (hash >>> 0) / 2 ** 32
}

/** Agents that always want more; `red`: how often checks fail and judges reject. */
function greedy(seed: number, red: number): (work: Work) => Outcome {
  return (work) => {
    const dice = roll(seed, work.id)
    const newTasks = many(Math.floor(roll(seed + 1, work.id) * 40))
    const questions = Array.from({ length: Math.floor(dice * 15) }, (_, n) => question(n))
    if (work.kind === 'check') return checkExit(dice < red ? 1 : 0)
    if (work.kind !== 'turn') return outcomeFor(work)
    switch (work.role) {
      case 'planner':
        return work.purpose === 'split' ? planOf(many(3), { questions }) : planOf(many(3), { questions })
      case 'supervisor':
        return verdict(dice < red / 2 ? 40 : 90)
      case 'tester':
        return tested(dice < red / 2 ? { status: 'failed', failed: 1 } : {})
      case 'iterator':
        return work.task === null ? iterated({ new_tasks: newTasks }) : iterated({ new_tasks: newTasks, questions })
      default:
        return dice < 0.2
          ? coded({ status: 'needs_clarification', questions: questions.slice(0, 3), newTasks })
          : coded({ newTasks, questions })
    }
  }
}

const asked = fc.record({
  seed: fc.integer(),
  red: fc.constantFrom(0, 0.2, 0.6, 1),
  review: fc.boolean(),
  parallel: fc.integer({ min: 1, max: 4 }),
  backlog: fc.boolean(),
  limits: fc.record({
    turns: fc.constantFrom(null, null, 0, 1, 7, 30),
    newTasks: fc.integer({ min: 0, max: 6 }),
    attempts: fc.integer({ min: 1, max: 2 }),
    fixCycles: fc.integer({ min: 0, max: 1 }),
    splitDepth: fc.integer({ min: 0, max: 2 }),
    goalIterations: fc.integer({ min: 0, max: 1 }),
    planRevisions: fc.integer({ min: 0, max: 1 }),
    recoveries: fc.integer({ min: 0, max: 1 }),
  }),
})
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

function playGreedily({ seed, red, review, parallel, backlog, limits: most }: Asked): Played {
  const config: RunConfig = baseConfig({
    review,
    parallel: backlog ? 1 : parallel,
    ...limits(most),
    ...(backlog ? { workflow: 'backlog' } : {}),
    thresholds: { approve: 70, revise: 50, failedTasksAbort: 1 },
  })
  return play(config, withBacklog(greedy(seed, red)))
}

/** Every loop at its limit at once: far more turns than a run takes, but finite. */
function mostTurns({
  limits: { newTasks, attempts, fixCycles, splitDepth, goalIterations, planRevisions, recoveries },
}: Asked): number {
  const parts = [0, 1, 2].filter((depth) => depth <= splitDepth).reduce((sum, depth) => sum + 3 ** depth, 0)
  const tasks = (3 + newTasks) * parts
  // A conflict, a recovery and a reverted task each grant one more attempt.
  const tries = attempts + goalIterations + 3 + 4 * recoveries
  const repaired = 2
  const perAttempt = (1 + fixCycles) * 3 * repaired
  return (
    tasks * (tries * perAttempt + repaired) + (1 + planRevisions) * 2 * repaired + (1 + goalIterations) * 2 * repaired
  )
}

const turnsOf = ({ events }: Played): TurnWork[] =>
  events.flatMap((event) => (event.type === 'work.started' && event.work.kind === 'turn' ? [event.work] : []))

test('greedy agents: the turns and the tasks of a run stay within its limits', () => {
  let left = 0
  fc.assert(
    fc.property(asked, (given) => {
      const played = playGreedily(given)
      const { turns, newTasks } = given.limits
      const used = turnsOf(played).length
      expect(byAgents(played)).toBeLessThanOrEqual(newTasks)
      if (turns !== null) expect(used).toBeLessThanOrEqual(turns)
      expect(used).toBeLessThanOrEqual(mostTurns(given))
      expect(['completed', 'failed', 'paused']).toContain(played.state.status)
      expect(played.state.config.limits).toEqual(baseConfig(limits(given.limits)).limits)
      left += warnings(played).filter((each) => each.includes('new tasks')).length
    }),
    { numRuns: 150 },
  )
  expect(left).toBeGreaterThan(0)
})
