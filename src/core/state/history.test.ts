import { describe, expect, test } from 'vitest'
import { sampleFailure, sampleState, sampleTask } from '../../../test/kit/state.ts'
import type { Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { evolve } from '../evolve.ts'

const minute = (n: number): string => new Date(Date.UTC(2026, 2, 1, 10, n)).toISOString()
const fold = (state: RunState, ...events: [number, Fact][]): RunState =>
  events.reduce((now, [at, fact]) => evolve(now, { ...fact, seq: now.seq + 1, at: minute(at) }), state)
const begun = (): RunState =>
  sampleState({ tasks: [sampleTask({ id: 'T001' })], activeSince: minute(0), lastAt: minute(0) })
const started = (attempt: number, racer?: number): Fact => ({
  type: 'task.started',
  task: 'T001',
  attempt,
  agent: attempt === 1 ? 'mine' : 'cheat',
  wave: 1,
  ...(racer === undefined ? {} : { racer }),
})
const done: Fact = {
  type: 'task.finished',
  task: 'T001',
  status: 'done',
  reason: null,
  block: null,
  evidence: [],
  commit: 'c',
  summary: null,
}
const failed = (attempt: number, fingerprint = 'f'): Fact => ({
  type: 'attempt.failed',
  task: 'T001',
  attempt,
  failure: sampleFailure({ fingerprint }),
  next: 'retry',
})
const paused: Fact = { type: 'run.paused', reason: { kind: 'user', detail: '', hint: '' } }

describe('the time a task took', () => {
  test('does not include the time in which the run rested', () => {
    const state = fold(begun(), [1, started(1)], [3, paused], [600, { type: 'run.resumed', limits: {} }], [601, done])
    expect(state.tasks['T001']).toMatchObject({ tookMs: 3 * 60_000 })
  })

  test('includes all attempts and excludes the time in which it was done', () => {
    const undone: Fact = {
      type: 'task.undone',
      task: 'T001',
      why: 'culprit',
      failure: sampleFailure({ kind: 'regression' }),
      revert: null,
    }
    const state = fold(
      begun(),
      [1, started(1)],
      [2, failed(1)],
      [3, started(2)],
      [4, done],
      [20, undone],
      [30, started(3)],
      [31, done],
    )
    expect(state.tasks['T001']).toMatchObject({ tookMs: 4 * 60_000 })
    expect(state.tasks['T001']?.begunMs).toBeUndefined()
  })

  test('starts at zero in a fork', () => {
    const forked: Fact = { type: 'run.forked', from: { run: '001-a', seq: 3 }, config: begun().config }
    const state = fold(
      begun(),
      [5, started(1)],
      [6, failed(1)],
      [7, forked],
      [8, { type: 'run.resumed', limits: {} }],
      [9, started(2)],
      [10, done],
    )
    expect(state.tasks['T001']).toMatchObject({ tookMs: 60_000 })
  })
})

describe('the history of attempts', () => {
  const check = (id: string, fingerprint: string, failing: string[]): Fact[] => [
    {
      type: 'work.started',
      work: {
        kind: 'check',
        id,
        workspace: 'T001',
        task: 'T001',
        name: 'test',
        run: { shell: 'x' },
        timeoutMs: 1,
        tree: null,
      },
    },
    {
      type: 'work.finished',
      id,
      outcome: {
        kind: 'check',
        exitCode: 1,
        durationMs: 1,
        timedOut: false,
        started: true,
        tests: 3,
        tail: '',
        fingerprint,
        failing,
      },
    },
  ]

  test('F12: keeps the agent of a failed attempt and the failing tests of blamed checks', () => {
    const events = [
      started(1),
      ...check('T001/a1/check0/1', 'f', ['rounds', 'adds']),
      ...check('T001/a1/check0/2', 'g', ['other']),
      failed(1),
    ]
    const state = fold(begun(), ...events.map((fact): [number, Fact] => [1, fact]))
    expect(state.tasks['T001']?.failures).toEqual([
      { ...sampleFailure({ fingerprint: 'f' }), attempt: 1, agent: 'mine', failing: ['rounds', 'adds'] },
    ])
  })

  test('keeps at most five', () => {
    const state = [1, 2, 3, 4, 5, 6, 7].reduce((now, n) => fold(now, [n, started(n)], [n, failed(n)]), begun())
    expect(state.tasks['T001']?.failures.map(({ attempt }) => attempt)).toEqual([3, 4, 5, 6, 7])
  })

  test('F16: keeps the winner of a race, with its own fixes', () => {
    const fix = (attempt: number, n: number): Fact => ({
      type: 'attempt.fixing',
      task: 'T001',
      attempt,
      fix: n,
      failure: sampleFailure(),
      base: null,
      tree: null,
    })
    const decided: Fact = { type: 'race.decided', task: 'T001', winner: 1, losers: [2] }
    const state = fold(
      begun(),
      [1, started(1)],
      [1, started(2, 1)],
      [2, fix(2, 1)],
      [2, fix(2, 2)],
      [3, decided],
      [4, fix(1, 1)],
      [5, done],
    )
    expect(state.tasks['T001']).toMatchObject({ race: { winner: 1, losers: [2], fixes: 1 }, fixCycles: 3 })
  })

  test('E7: keeps the newest twenty verdicts of the monitor and recoveries', () => {
    const said: Fact = { type: 'health.changed', health: 'STALLED', evidence: 'again', wave: 2 }
    const tried: Fact = { type: 'recovery.begun', from: 'STALLED', n: 1, evidence: 'again', tasks: ['T001'] }
    expect(fold(begun(), [1, said], [1, tried]).convergence.history).toEqual([
      { wave: 2, health: 'STALLED', evidence: 'again' },
      { wave: 1, health: 'STALLED', evidence: 'again', recovery: { n: 1, tasks: ['T001'] } },
    ])
    const many = Array.from({ length: 30 }, (_, wave): [number, Fact] => [1, { ...said, wave }])
    expect(fold(begun(), ...many).convergence.history?.map(({ wave }) => wave)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 10),
    )
  })
})
