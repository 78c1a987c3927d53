/** The laws of the core, over random worlds: agents that succeed, fail, lie, crash, ask, block and answer nonsense. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import {
  agentError,
  baseConfig,
  checkExit,
  coded,
  invalid,
  limits,
  outcomeFor,
  plan,
  planOf,
  play,
  tested,
  verdict,
  type Played,
} from '../../test/kit/play.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { InspectOutcome, Outcome, Work } from '../model/work.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'
import { initialState } from './initial.ts'
import { attemptsRunning } from './tasks/attempts-in-flight.ts'
import { isSatisfied } from '../model/split-tasks.ts'

/** Deterministic dice: the same work in the same world always gets the same result. */
function roll(seed: number, id: string): number {
  let hash = seed | 0
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x5bd1e995)
  hash ^= hash >>> 15
  return (hash >>> 0) / 2 ** 32
}

const plans = [
  plan('a', 'b', 'c'),
  plan('a', ['b', ['a']], ['c', ['b']]),
  plan('a', ['b', ['a']], ['c', ['a']], ['d', ['b', 'c']], 'e'),
  planOf([
    { id: 'a', dependsOn: ['b'] },
    { id: 'b', dependsOn: ['a'] },
  ]),
  plan('only'),
]

function fate(seed: number, trouble: number, work: Work, state: RunState): Outcome {
  const dice = roll(seed, work.id)
  if (work.kind === 'turn' && work.role === 'planner' && work.purpose !== 'split') {
    return plans[Math.floor(roll(seed, 'plan') * plans.length)] ?? plan('a')
  }
  if (dice > trouble) return outcomeFor(work, state)
  const pick = <T>(...options: T[]): T => options[Math.floor(roll(seed + 1, work.id) * options.length)] as T
  switch (work.kind) {
    case 'turn':
      return pick<Outcome>(
        agentError('crash'),
        agentError('stalled'),
        invalid('nonsense'),
        agentError('overloaded'),
        agentError('usage_limit', '2026-01-01T00:30:00Z'),
        agentError('auth'),
        ...disappointing(work.role, pick),
      )
    case 'check':
      return pick(checkExit(1), checkExit(0, { tests: 0 }))
    case 'inspect':
      return pick<Outcome>(
        { ...unchanged },
        {
          ...unchanged,
          tree: work.id,
          fileCount: 1,
          tamper: [{ kind: 'test-deleted', file: 'a.test.js', test: null, detail: 'gone' }],
        },
        {
          ...unchanged,
          tree: work.id,
          fileCount: 1,
          newTests: ['b.test.js'],
          unresolved: [{ file: 'c.js', why: 'one-side' }],
        },
      )
    case 'integrate': {
      if (work.step.kind !== 'merge')
        return work.step.kind === 'land' ? { kind: 'integrate', status: 'moved' } : outcomeFor(work, state)
      const below = work.step.onto === undefined ? {} : { stacked: true as const }
      const onto = work.step.onto ?? state.landings.at(-1)?.commit ?? 'c0'
      return pick<Outcome>(
        { kind: 'integrate', status: 'conflict', onto, files: ['f'], tree: 'both', theirs: 'd', ...below },
        { kind: 'integrate', status: 'merged', commit: `m of ${work.id}`, tree: `other of ${work.id}`, onto, ...below },
        { kind: 'integrate', status: 'moved' },
      )
    }
    default:
      return outcomeFor(work, state)
  }
}

const unchanged: InspectOutcome = {
  kind: 'inspect',
  tree: 't0',
  files: [],
  fileCount: 0,
  insertions: 0,
  deletions: 0,
  restored: false,
}

function disappointing(role: string, pick: <T>(...options: T[]) => T): Outcome[] {
  switch (role) {
    case 'supervisor':
      return [verdict(0), verdict(45), verdict(60)]
    case 'tester':
      return [tested({ status: 'failed' }), tested({ total: 0 })]
    case 'coder':
      return [
        coded({ status: 'blocked', blocker: { kind: 'external', reason: 'x' } }),
        coded({
          status: 'needs_clarification',
          questions: [{ text: 'q', options: [], default: pick('x', null), blocks: [] }],
        }),
      ]
    default:
      return [plan('one'), plan('x', 'y', 'z', 'too many')]
  }
}

const replay = (events: readonly Event[]): RunState => structuredClone(events as Event[]).reduce(evolve, initialState())

const world = fc.record({
  seed: fc.integer(),
  trouble: fc.constantFrom(0, 0.1, 0.3, 0.6, 0.95),
  review: fc.boolean(),
  parallel: fc.integer({ min: 1, max: 4 }),
  checks: fc.boolean(),
  meta: fc.boolean(),
  checkReruns: fc.integer({ min: 0, max: 2 }),
  baseline: fc.constantFrom('off', 'no-worse'),
  guard: fc.constantFrom('off', 'warn', 'block'),
  race: fc.constantFrom<Record<string, number>>({}, { simple: 3, medium: 2 }, { retry: 2 }),
})
type Given = typeof world extends fc.Arbitrary<infer T> ? T : never

const turnsUnderWay = ({ works }: RunState): number =>
  Object.values(works).filter(({ work }) => work.kind === 'turn' && work.task !== null).length

function playIn(
  { seed, trouble, review, parallel, checks, meta, checkReruns, baseline, guard, race }: Given,
  watch: (state: RunState) => void = () => {},
): Played {
  const config = baseConfig({
    review,
    parallel,
    checks: checks ? [{ name: 'test', run: 'x' }] : [],
    checkReruns,
    baseline,
    guard,
    race,
    proof: true,
    ...(meta ? { workflow: 'meta' } : {}),
    ...limits({ attempts: 2, fixCycles: 1, splitDepth: 1, goalIterations: 1, planRevisions: 1, turns: 200 }),
  })
  return play(
    config,
    (work, state) => {
      watch(state)
      return fate(seed, trouble, work, state)
    },
    meta ? { stages: ['plan', 'scaffold', 'execute', 'gate', 'report'] } : {},
  )
}

test('every run ends or pauses with a reason', () => {
  fc.assert(
    fc.property(world, (given) => {
      const { state } = playIn(given)
      expect(['completed', 'failed', 'paused']).toContain(state.status)
      if (state.status !== 'completed') expect(state.reason).toBeTruthy()
      expect(state.works).toEqual({})
    }),
    { numRuns: tries(400) },
  )
})

test('replay gives the live state', () => {
  fc.assert(
    fc.property(world, (given) => {
      const { state, events } = playIn(given)
      expect(replay(events)).toEqual(JSON.parse(JSON.stringify(state)))
    }),
    { numRuns: tries(150) },
  )
})

test('every prefix of a journal loads, and the core can continue from it', () => {
  fc.assert(
    fc.property(world, fc.nat(), (given, cut) => {
      const { events } = playIn(given)
      const state = replay(events.slice(0, 1 + (cut % events.length)))
      expect(() => decide(state)).not.toThrow()
      expect(replay(events.slice(0, state.seq))).toEqual(state)
    }),
    { numRuns: tries(200) },
  )
})

test('a repeated or late outcome changes nothing', () => {
  fc.assert(
    fc.property(world, (given) => {
      const { events, state } = playIn(given)
      const again = events.flatMap((event): Event[] => (event.type === 'work.finished' ? [event, event] : [event]))
      const twice = structuredClone(again).reduce(evolve, initialState())
      expect({ ...twice, lastAt: '' }).toEqual({ ...JSON.parse(JSON.stringify(state)), lastAt: '' })
    }),
    { numRuns: tries(100) },
  )
})

test('a task runs only when its dependencies are satisfied, within `parallel`, and is done only with evidence', () => {
  fc.assert(
    fc.property(world, (given) => {
      const { state } = playIn(given, (now) => {
        expect(attemptsRunning(now)).toBeLessThanOrEqual(given.parallel * 2)
        expect(turnsUnderWay(now)).toBeLessThanOrEqual(given.parallel)
        expect(now.active.length).toBeLessThanOrEqual(given.parallel === 1 ? 1 : given.parallel * 2)
        for (const id of now.active) {
          for (const dependency of now.tasks[id]?.dependsOn ?? []) {
            const task = now.tasks[dependency]
            expect(task && isSatisfied(now, task)).toBe(true)
          }
        }
      })
      for (const task of Object.values(state.tasks)) {
        if (task.status === 'done' && given.checks) expect(task.evidence.length).toBeGreaterThan(0)
      }
      if (state.status === 'completed')
        expect(state.counts.failed + state.counts.todo + state.counts.doing + state.counts.blocked).toBe(0)
    }),
    { numRuns: tries(300) },
  )
})

test('the indexes agree with the tasks', () => {
  fc.assert(
    fc.property(world, (given) => {
      playIn(given, (state) => {
        const tasks = Object.values(state.tasks)
        const ready = tasks.filter(
          (task) =>
            task.status === 'todo' && task.dependsOn.every((id) => isSatisfied(state, state.tasks[id] as never)),
        )
        expect(new Set(state.ready)).toEqual(new Set(ready.map(({ id }) => id)))
        expect(new Set(state.active)).toEqual(
          new Set(tasks.filter(({ status }) => status === 'doing').map(({ id }) => id)),
        )
        expect(state.counts.done).toBe(tasks.filter(({ status }) => status === 'done').length)
        expect(state.met).toBe(
          tasks
            .filter(({ status }) => status === 'done')
            .reduce((sum, { criteria }) => sum + Math.max(1, criteria.length), 0),
        )
      })
    }),
    { numRuns: tries(100) },
  )
})

test('a crash and a restart at any moment lead to the same end', () => {
  fc.assert(
    fc.property(world, fc.nat(), (given, cut) => {
      const whole = playIn(given)
      const config = whole.state.config
      const rest = whole.events.slice(0, 1 + (cut % whole.events.length))
      const resumed = play(config, (work, state) => fate(given.seed, given.trouble, work, state), { from: rest })
      expect(Object.values(resumed.state.tasks).map(({ id, status }) => [id, status])).toEqual(
        Object.values(whole.state.tasks).map(({ id, status }) => [id, status]),
      )
      expect(resumed.state.status).toBe(whole.state.status)
    }),
    { numRuns: tries(200) },
  )
})
