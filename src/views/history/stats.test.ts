import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  coded,
  invalid,
  limits,
  planOf,
  play,
  verdict,
} from '../../../test/kit/play.ts'
import { abortedRun, brokenOffRun, completedRun, failedRun, hostileText, limitedRun } from '../../../test/kit/runs.ts'
import { tries } from '../../../test/kit/seed.ts'
import { simulate } from '../../simulation/simulate.ts'
import { columns } from '../text/columns.ts'
import { fold } from '../../core/fold.ts'
import { elapsedMs } from '../facts/progress.ts'
import { statsText } from './stats-text.ts'
import { statsOf } from './stats.ts'
import { usageView } from '../status/status.ts'

const resting = { live: false }

describe('the totals (F9)', () => {
  test('match the states of the runs, in many worlds', { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= tries(80); seed++) {
      const { history, state } = await simulate(seed, { checkers: [] })
      const { turns, usage, time, tasks, byStatus } = statsOf([{ steps: fold(history), ...resting }])
      const counts = Object.fromEntries(Object.entries(state.counts).filter(([, n]) => n > 0))
      const waited = history.some(({ type }) => type === 'run.resumed') ? time.waitingMs : state.waitedMs
      expect({ turns, usage, ...time, tasks, byStatus }, `seed ${seed}`).toEqual({
        turns: state.turns,
        usage: usageView(state.usage),
        runningMs: elapsedMs(state),
        waitingMs: waited,
        tasks: counts,
        byStatus: { [state.status === 'running' ? 'crashed' : state.status]: 1 },
      })
    }
  })

  test('counts runs by status; a running run without a process counts as crashed', () => {
    const runs = [completedRun(), completedRun(), failedRun(), limitedRun(), abortedRun(), brokenOffRun()].map(
      ({ events }) => ({ steps: fold(events), ...resting }),
    )
    expect(
      statsOf([...runs, { steps: fold(brokenOffRun().events), live: true }, { steps: fold([]), live: false }]),
    ).toMatchObject({
      runs: 8,
      byStatus: { completed: 2, aborted: 1, crashed: 1, failed: 1, new: 1, paused: 1, running: 1 },
    })
  })

  test('there is no run', () => {
    expect(statsOf([])).toMatchObject({
      runs: 0,
      byStatus: {},
      turns: 0,
      averageTurnMs: null,
      agents: [],
      models: [],
      byType: [],
      byComplexity: [],
    })
  })
})

/**
 * T001 crashes twice and is done by the stronger model at its second attempt; T002 is rejected, then done; T003 is done
 * at once.
 */
const mixed = () => {
  const tasks = [
    { id: 'T001', type: 'feature', complexity: 'complex' },
    { id: 'T002', type: 'feature' },
    { id: 'T003', type: 'docs', dependsOn: ['T001', 'T002'] },
  ]
  const used = { inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 }
  const config = baseConfig({
    agent: 'a',
    agents: { a: { command: ['a'], tiers: ['small', 'big'] } },
    ...limits({ attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0 }),
  })
  return play(config, (work) => {
    if (work.kind === 'integrate' && work.id === 'T003/a1/merge0')
      return { kind: 'integrate', status: 'conflict', onto: 'c1', files: ['a'], tree: 'both' }
    if (work.kind === 'check') return checkExit(work.id === 'T003/a2/check0/1' ? 1 : 0)
    if (work.kind !== 'turn') return undefined
    if (work.purpose === 'plan') return planOf(tasks)
    if (work.id.startsWith('T001/a1/implement')) return agentError('crash')
    if (work.id === 'T002/a1/verify0') return verdict(10)
    if (work.id === 'T002/a2/implement') return invalid('not JSON')
    return work.role === 'coder' ? { ...coded(), usage: used } : undefined
  })
}

test('groups by agent, by model, by kind of task, and by failure', () => {
  const stats = statsOf([{ steps: fold(mixed().events), ...resting }])
  expect(stats.agents).toMatchObject([{ agent: 'a', attempts: 6, done: 2, firstTry: 0 }])
  expect(stats.agents[0]).not.toHaveProperty('model')
  expect(stats.models.map(({ model, done }) => [model, done])).toEqual([
    ['small', 0],
    ['big', 2],
  ])
  expect(stats.byType).toMatchObject([
    { type: 'feature', tasks: 2, done: 2, firstTry: 0, attempts: 4 },
    { type: 'docs', failed: 1 },
  ])
  expect(stats.byComplexity.find(({ complexity }) => complexity === 'complex')).toMatchObject({
    tasks: 1,
    done: 1,
    attempts: 2,
  })
  expect(stats.failures).toMatchObject({
    agentErrors: { crash: 2 },
    invalidAnswers: 1,
    verdicts: { task: 1 },
    conflicts: 1,
    checks: { test: 1 },
    attempts: { agent: 1, verdict: 1, conflict: 1, check: 1 },
    environment: {},
  })
})

test('a task that is done in its first attempt counts as a first try', () => {
  const { agents, byComplexity } = statsOf([{ steps: fold(completedRun().events), ...resting }])
  expect(agents).toMatchObject([{ attempts: 2, done: 2, firstTry: 2, turns: 9, averageTurnMs: 1000 }])
  expect(byComplexity).toEqual([{ complexity: 'simple', tasks: 2, done: 2, firstTry: 2, failed: 0, attempts: 2 }])
})

describe('for people', () => {
  test('fits on one page', () => {
    const runs = [
      { steps: fold(mixed().events), ...resting },
      { steps: fold(failedRun().events), ...resting },
    ]
    expect(statsText(statsOf(runs, [{ run: '003-x', why: 'it is damaged' }]))).toMatchInlineSnapshot(`
      "runs   2 · 2 failed
      tasks  2 done · 2 failed · 1 todo
      turns  19 · 0.8 s each
      spent  $1.25 · 5.0k tokens in, 500 out
      time   52 s running

      agent  attempts  done  first try  turns   each  spent
      a             7     2     0 (0%)     19  0.8 s  $1.25

      model           attempts  done  first try  turns   each  spent
      a small                3     0          0      8  0.8 s  $0.50
      a big                  3     2     0 (0%)      8  0.9 s  $0.75
      a (its choice)         1     0          0      3  1.0 s      0

      type of task  tasks  done  first try  failed  attempts
      feature           2     2     0 (0%)       0         4
      (none)            2     0          0       1         1
      docs              1     0          0       1         2

      complexity  tasks  done  first try  failed  attempts
      simple          4     1     0 (0%)       2         5
      complex         1     1     0 (0%)       0         2

      what went wrong
        red checks  test 2
        rejected    task 1
        agents      crash 2 · invalid answer 1
        merges      conflict 1
        attempts    check 2 · agent 1 · conflict 1 · verdict 1

      ! 003-x cannot be read: it is damaged
      "
    `)
  })

  test('rows without data are left out', () => {
    expect(statsText(statsOf([{ steps: fold([]), ...resting }]))).toBe('runs   1 · 1 new\ntime   0.0 s running\n')
  })

  test('hostile names stay harmless and within 80 columns', () => {
    const name = hostileText.repeat(9)
    const { events } = play(
      baseConfig({ checks: [{ name, run: 'x' }], ...limits({ attempts: 1, fixCycles: 0 }) }),
      (work) => {
        if (work.kind === 'turn' && work.purpose === 'plan')
          return planOf([
            { id: 'T001', type: name },
            { id: 'T002', type: '__proto__' },
          ])
        return work.kind === 'check' ? checkExit(1) : undefined
      },
    )
    const text = statsText(statsOf([{ steps: fold(events), ...resting }], [{ run: name, why: name }]))
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
    expect(Math.max(...text.split('\n').map(columns))).toBeLessThanOrEqual(80)
    expect(text).toContain('__proto__')
  })

  test('large numbers fit', () => {
    const big = {
      agent: 'opencode-with-a-long-name-indeed',
      model: 'some-provider/some-model-2026-01-31',
      attempts: 12_345,
      done: 12_345,
      firstTry: 11_111,
      turns: 98_765,
      averageTurnMs: 3_599_000,
      usage: { costUsd: 12_345.67, inputTokens: 9e9, outputTokens: 1 },
    }
    const text = statsText({ ...statsOf([]), runs: 1, agents: [big], models: [big] })
    expect(Math.max(...text.split('\n').map(columns))).toBeLessThanOrEqual(80)
  })
})

test('a fork counts only what it did itself', () => {
  const { events } = completedRun()
  const second = events.find((event) => event.type === 'task.started' && event.task === 'T002')?.seq ?? 0
  const forked = play(baseConfig(), () => undefined, {
    from: [
      ...events.slice(0, second),
      {
        type: 'run.forked',
        seq: second + 1,
        at: '2026-06-01T00:00:00.000Z',
        from: { run: '001-x', seq: second },
        config: baseConfig(),
      },
    ],
  })
  expect(statsOf([{ steps: fold(forked.events), ...resting }])).toMatchObject({
    byStatus: { paused: 1 },
    tasks: { todo: 1 },
    turns: 0,
    time: { runningMs: 0, waitingMs: 0 },
    agents: [],
  })
  const { state, events: after } = forked.resume()
  expect(statsOf([{ steps: fold(after), ...resting }])).toMatchObject({
    byStatus: { completed: 1 },
    tasks: { done: 1 },
    turns: state.turns,
    time: { runningMs: elapsedMs(state) },
    agents: [{ attempts: 1, done: 1, firstTry: 1 }],
  })
})
