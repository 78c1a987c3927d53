import { describe, expect, test } from 'vitest'
import { completedRun, brokenOffRun, failedRun, limitedRun } from '../../../test/kit/runs.ts'
import { play, type Played } from '../../../test/kit/play.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { addMs } from '../../model/time.ts'
import { replay } from '../../replay/replay.ts'
import { tallyRun } from '../../views/history/run-tally.ts'
import { elapsedMs } from '../../views/facts/progress.ts'
import { decide } from '../decide.ts'
import { evolve } from '../evolve.ts'
import { fold } from '../fold.ts'
import { initialState } from '../initial.ts'

const applied: Fact = { type: 'run.applied', commit: 'c9', onto: 'main' }
const discarded: Fact = { type: 'run.discarded', commit: 'c9' }
const foldOf = (events: readonly Event[]): RunState => structuredClone(events as Event[]).reduce(evolve, initialState())

const runs: [string, () => Played][] = [
  ['completed', completedRun],
  ['failed', failedRun],
  ['paused', limitedRun],
  ['crashed', brokenOffRun],
]

describe.each(runs)('a %s run', (_, make) => {
  test('keeps its status when applied or discarded, and replays the same', () => {
    const { status, reason, endedAt, usage, turns } = make().state
    const { state, events } = make().record(applied).record(discarded)
    expect(state).toMatchObject({
      status,
      reason,
      endedAt,
      usage,
      turns,
      applied: { commit: 'c9', onto: 'main' },
      discardedAt: state.lastAt,
    })
    if (status !== 'running') expect(decide(state)).toEqual({ facts: [], work: [] })
    expect(replay(events)).toMatchObject({ differences: [], skipped: 0 })
  })

  test('counts no time between its last event and the order of a person', () => {
    const { events, state } = make()
    const later: Event = { ...applied, seq: state.seq + 1, at: addMs(state.lastAt, 3_600_000) }
    const after = foldOf([...events, later])
    expect(elapsedMs(after)).toBe(elapsedMs(state))
    expect(tallyRun(fold([...events, later]), false).runningMs).toBe(tallyRun(fold(events), false).runningMs)
    const resumed = foldOf([
      ...events,
      later,
      { type: 'run.resumed', limits: {}, seq: later.seq + 1, at: addMs(later.at, 3_600_000) },
    ])
    expect(resumed.elapsedMs).toBe(elapsedMs(state))
  })
})

test.each(runs.slice(1))('a %s run that is resumed must be handed over again', (_, make) => {
  const { state, events } = make()
    .record(applied)
    .record(discarded)
    .resume({ turns: null }, () => undefined)
  expect(state).toMatchObject({ status: 'completed', applied: null, discardedAt: null })
  expect(replay(events)).toMatchObject({ differences: [], skipped: 0 })
})

test('F17: a fork of an applied or discarded run is neither, and continues', () => {
  const { events, state } = limitedRun().record(applied).record(discarded)
  const config = { ...state.config, limits: { ...state.config.limits, turns: null } }
  const from = { run: '001-x', seq: state.seq }
  const fork: Event = { type: 'run.forked', seq: state.seq + 1, at: addMs(state.lastAt, 1), from, config }
  expect(foldOf([...events, fork])).toMatchObject({ status: 'paused', applied: null, discardedAt: null })
  const { state: after, events: all } = play(state.config, () => undefined, { from: [...events, fork] }).resume()
  expect(after.status).toBe('completed')
  expect(replay(all)).toMatchObject({ differences: [], skipped: 0 })
})
