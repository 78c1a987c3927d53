import { expect, test } from 'vitest'
import { baseConfig, limits, play, started } from '../../../test/kit/play.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { addMs } from '../../model/time.ts'
import { decide } from '../decide.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'
import { elapsedMs } from '../../model/elapsed.ts'

const begin = '2026-01-01T00:00:00.000Z'
const minute = 60_000
const hour = 60 * minute

/** Folds facts, each at its offset from the start. */
function fold(...facts: [ms: number, fact: Fact][]): RunState {
  return facts
    .map(([ms, fact], index): Event => ({ ...fact, seq: index + 1, at: addMs(begin, ms) }))
    .reduce(evolve, initialState())
}

const start = started(baseConfig(limits({ timeMinutes: 30 })))
const waiting: Fact = {
  type: 'work.started',
  work: {
    kind: 'wait',
    id: 'T001/a1/implement.wait1',
    until: addMs(begin, 9 * hour),
    awaits: { kind: 'retry', question: 'T001/a1/implement', nth: 1 },
  },
}

test('a jump of the clock does not count as running time, before or after a pause', () => {
  const state = fold(
    [0, start],
    [minute, { type: 'stage.entered', stage: 'plan', conclusion: null }],
    [4 * hour + 2 * minute, { type: 'clock.jumped', ms: 4 * hour }],
  )
  expect(elapsedMs(state, addMs(begin, 4 * hour + 3 * minute))).toBe(3 * minute)
  expect(decide(state).facts.filter(({ type }) => type === 'run.paused')).toEqual([])
  const reason = { kind: 'user', detail: '', hint: '' } as const
  const after: Event[] = [
    { type: 'run.paused', reason, seq: 4, at: addMs(begin, 4 * hour + 3 * minute) },
    { type: 'run.resumed', limits: {}, seq: 5, at: addMs(begin, 9 * hour) },
  ]
  expect(elapsedMs(after.reduce(evolve, state), addMs(begin, 9 * hour + minute))).toBe(4 * minute)
})

test('the deadline moves with the jump', () => {
  const deadlineOf = (state: RunState): string[] =>
    decide(state).work.flatMap((work) =>
      work.id.startsWith('limit/time/') && work.kind === 'wait' ? [work.until] : [],
    )
  const before = fold([0, start], [0, { type: 'stage.entered', stage: 'plan', conclusion: null }])
  expect(deadlineOf(before)).toEqual([addMs(begin, 30 * minute)])
  const after = fold(
    [0, start],
    [0, { type: 'stage.entered', stage: 'plan', conclusion: null }],
    [4 * hour, { type: 'clock.jumped', ms: 4 * hour }],
  )
  expect(deadlineOf(after)).toEqual([addMs(begin, 4 * hour + 30 * minute)])
})

test('a jump does not count as waiting time', () => {
  const state = fold([0, start], [0, waiting], [4 * hour + minute, { type: 'clock.jumped', ms: 4 * hour }])
  expect(state.waitedMs).toBe(minute)
  expect(elapsedMs(state, state.lastAt)).toBe(0)
})

test('a jump longer than the running time never makes it negative, and a resting run loses none', () => {
  expect(elapsedMs(fold([0, start], [minute, { type: 'clock.jumped', ms: hour }]), addMs(begin, minute))).toBe(0)
  const { state } = play(baseConfig(), () => undefined)
  const before = elapsedMs(state, state.lastAt)
  evolve(state, { type: 'clock.jumped', ms: hour, seq: state.seq + 1, at: addMs(state.lastAt, hour) })
  expect(elapsedMs(state, state.lastAt)).toBe(before)
})
