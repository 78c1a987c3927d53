import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { baseConfig, checkExit, limits, play, type Played } from '../../test/kit/play.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { noUsage } from '../model/usage.ts'
import { replay } from '../replay/replay.ts'
import { indexes } from '../simulation/checkers/journal.ts'
import { simulate } from '../simulation/simulate.ts'
import { evolve } from './evolve.ts'
import { initialState } from './initial.ts'

const at = '2026-06-01T00:00:00.000Z'
const generous = baseConfig({
  ...limits({ timeMinutes: null, costUsd: null, iterations: null }),
  thresholds: { approve: 70, revise: 50, failedTasksAbort: 1 },
})

/** The journal of a fork after the event `seq`. */
const forkAfter = (events: readonly Event[], seq: number, config = generous): Event[] => [
  ...structuredClone(events.slice(0, seq)),
  { type: 'run.forked', seq: seq + 1, at, from: { run: '001-x', seq }, config: structuredClone(config) },
]
const foldOf = (events: readonly Event[]): RunState => structuredClone(events as Event[]).reduce(evolve, initialState())

/** Resumes the fork in a world in which everything succeeds. */
function goOn(events: Event[]): Played {
  const played = play(generous, () => undefined, { from: events })
  for (let times = 0; times < 3 && played.state.status !== 'completed'; times++) {
    for (const { id, answer } of played.state.questions)
      if (answer === null) played.record({ type: 'question.answered', question: id, answer: 'yes', by: 'person' })
    played.resume()
  }
  return played
}

const mistakesIn = (state: RunState): string[] => {
  const found: string[] = []
  indexes.watch({} as never, (detail) => found.push(detail)).after?.({ type: 'task.started', seq: 0 } as never, state)
  return found
}

test(
  'F17: any run forked at any point rests with valid indexes and no cost, resumes, and ends',
  { timeout: 1_800_000 },
  async () => {
    let forks = 0
    for (let seed = 1; seed <= tries(160); seed++) {
      const { history, scenario } = await simulate(seed, { checkers: [] })
      if (scenario.config.workspace.mode === 'in-place' || scenario.config.workflow !== 'supervised') continue
      for (let seq = 1 + (seed % 31); seq < history.length; seq += 31) {
        const events = forkAfter(history, seq)
        const state = foldOf(events)
        const where = `seed ${seed}, event ${seq}`
        expect(state, where).toMatchObject({
          status: 'paused',
          pause: { kind: 'user' },
          works: {},
          spending: {},
          usage: noUsage,
          turns: 0,
          elapsedMs: 0,
          activeSince: null,
        })
        expect(mistakesIn(state), where).toEqual([])
        const played = goOn(events)
        expect([played.state.status, played.state.reason], where).toEqual(['completed', null])
        expect(replay(played.events), where).toMatchObject({ differences: [], skipped: 0 })
        forks++
      }
    }
    expect(forks).toBeGreaterThan(tries(400))
  },
)

describe('a running attempt', () => {
  const { events } = play(baseConfig(), (work) =>
    work.kind === 'check' && work.id === 'T001/a1/check0/1' ? checkExit(1) : undefined,
  )
  const seqOf = (matches: (event: Event) => boolean): number => events.find(matches)?.seq ?? 0

  test('is dropped: the next attempt has its number, its fixes and its wave', () => {
    const before = foldOf(events.slice(0, seqOf(({ type }) => type === 'task.started') - 1))
    const during = seqOf((event) => event.type === 'work.finished' && event.id === 'T001/a1/fix1')
    const { tasks, wave, waveTasks, ledger, starts } = foldOf(forkAfter(events, during))
    expect(tasks['T001']).toEqual(before.tasks['T001'])
    expect({ wave, waveTasks, starts }).toEqual({ wave: before.wave, waveTasks: [], starts: {} })
    expect(ledger).not.toHaveProperty('T001')
  })

  test('that has landed is only recorded', () => {
    const landed = seqOf(
      (event) =>
        event.type === 'work.finished' && event.outcome.kind === 'integrate' && event.outcome.status === 'landed',
    )
    const { events: after } = goOn(forkAfter(events, landed))
    const first = after.slice(landed + 2).find(({ type }) => type === 'task.finished')
    expect(first).toMatchObject({ task: 'T001', status: 'done', commit: expect.any(String) as string })
    expect(after.slice(landed + 1).some((event) => event.type === 'task.started' && event.task === 'T001')).toBe(false)
  })
})

test('in the middle of planning, the answer of the planner stays and its workspace is prepared again', () => {
  const { events } = play(baseConfig(), () => undefined)
  const planned = events.find((event) => event.type === 'work.finished' && event.id === 'plan/r0')?.seq ?? 0
  const { events: after } = goOn(forkAfter(events, planned))
  const started = after.slice(planned + 1).flatMap((event) => (event.type === 'work.started' ? [event.work.id] : []))
  expect(started.slice(0, 2)).toEqual(['plan/prepare', 'plan/r0/review'])
})

test('the new configuration applies from the fork on; the time between does not count', () => {
  const { events } = play(baseConfig(limits({ turns: 3 })), () => undefined)
  const { state } = goOn(
    forkAfter(
      events,
      events.length,
      baseConfig({ ...limits({ turns: 50 }), agent: 'b', agents: { b: { command: ['b'] } } }),
    ),
  )
  expect(state).toMatchObject({ status: 'completed', config: { agent: 'b', limits: { turns: 50 } }, startedAt: at })
  expect(state.elapsedMs).toBeLessThan(60_000)
})
