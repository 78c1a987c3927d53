/** Sessions, quotas, fallbacks, budgets: the results of one question to an agent. */
import { describe, expect, test } from 'vitest'
import { inSession, quick, reset, turn, turns, world } from '../../../test/kit/agent-answers.ts'
import { agentError, coded, limits, plan, play } from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import { wayToLogIn } from '../../model/login.ts'

describe('D5, F1: out of quota', () => {
  test('the run waits for the reset at no charge, and other turns of the agent wait without asking it', () => {
    const played = play(quick({ parallel: 2 }), world({ 'T001/a1/implement': [agentError('usage_limit', reset)] }))
    expect(played.state.status).toBe('completed')
    expect(
      played.of('work.started').flatMap(({ work }) => (work.kind === 'wait' && work.until === reset ? [work.id] : [])),
    ).toEqual(['T001/a1/implement.wait1'])
    expect(played.state.tasks['T001']).toMatchObject({ attempts: 1, fixCycles: 0 })
  })

  test('a quota that one turn learned is not asked for again by a later turn', () => {
    const config = quick({ parallel: 1, onUsageLimit: 'fallback' })
    const played = play(config, world({ 'plan/r0': [agentError('usage_limit', reset)] }))
    expect(turns(played).map(({ id, agent }) => [id, agent])).toEqual([
      ['plan/r0', 'a'],
      ['plan/r0.again1', 'b'],
      ['T001/a1/implement', 'b'],
      ['T002/a1/implement', 'b'],
    ])
  })

  test('without a fallback the later turn waits, too, once', () => {
    const played = play(quick({ parallel: 2, agents: { a: { command: ['a'] } } }), (work) => {
      if (work.id === 'T001/a1/implement') return agentError('usage_limit', reset)
      return work.kind === 'turn' && work.role === 'planner' ? plan('T001', ['T002', ['T001']]) : undefined
    })
    expect(played.state.status).toBe('completed')
    expect(turns(played).map(({ id }) => id)).toEqual([
      'plan/r0',
      'T001/a1/implement',
      'T001/a1/implement.again1',
      'T002/a1/implement',
    ])
  })

  test('fallbacks are used in order, each with its own model; after the last the run waits', () => {
    const limit = agentError('usage_limit', reset)
    const played = play(
      quick({ parallel: 1, onUsageLimit: 'fallback' }),
      world({ 'T001/a1/implement': [limit], 'T001/a1/implement.again1': [limit], 'T001/a1/implement.again2': [limit] }),
    )
    expect(
      turns(played)
        .filter(({ task }) => task === 'T001')
        .map(({ agent, model }) => [agent, model]),
    ).toEqual([
      ['a', null],
      ['b', null],
      ['c', 'large'],
      ['a', null],
    ])
    expect(played.state.status).toBe('completed')
  })

  describe('when the whole chain is out of quota, the run waits for the agent that is back first', () => {
    const [soon, later] = ['2026-01-01T00:10:00.000Z', '2026-01-01T05:00:00.000Z']
    const pair = { a: { command: ['a'], fallback: ['b'] }, b: { command: ['b'] } }
    const config = quick({ parallel: 1, onUsageLimit: 'fallback', agents: pair })
    const waits = (played: ReturnType<typeof play>) =>
      played
        .of('work.started')
        .flatMap(({ work }) => (work.kind === 'wait' && !work.id.startsWith('limit/') ? [[work.id, work.until]] : []))

    test.each([
      ['a', soon, later],
      ['b', later, soon],
    ])('%s, after both have said so', (back, ofA, ofB) => {
      const played = play(
        config,
        world({ 'plan/r0': [agentError('usage_limit', ofA)], 'plan/r0.again1': [agentError('usage_limit', ofB)] }),
      )
      expect(waits(played)).toEqual([['plan/r0.wait2', soon]])
      expect(turn(played, 'plan/r0.again2')).toMatchObject({ agent: back })
    })

    test('does not ask agents whose quota is known', () => {
      const known = play(config, (work, state) => {
        if (work.kind !== 'turn' || work.role !== 'planner')
          return work.id === 'T001/a1/implement' ? agentError('usage_limit', soon) : undefined
        state.quotas['b/'] = later
        return plan('T001')
      })
      expect(waits(known)).toEqual([['T001/a1/implement.again1.quota', soon]])
      expect(turns(known).map(({ id, agent }) => [id, agent])).toEqual([
        ['plan/r0', 'a'],
        ['T001/a1/implement', 'a'],
        ['T001/a1/implement.again1', 'a'],
      ])
    })

    test('asks soon when one of them gave no reset time', () => {
      const played = play(
        config,
        world({ 'plan/r0': [agentError('rate_limited')], 'plan/r0.again1': [agentError('usage_limit', later)] }),
      )
      expect(waits(played).map(([id, until]) => [id, (until ?? '') < soon])).toEqual([['plan/r0.wait2', true]])
      expect(turn(played, 'plan/r0.again2')).toMatchObject({ agent: 'a' })
    })
  })

  test('another model of the same agent is not affected', () => {
    const config = quick({
      parallel: 1,
      agents: { a: { command: ['a'], model: 'small' } },
      roles: { coder: { model: 'large' } },
    })
    const played = play(
      config,
      world({ 'plan/r0': [agentError('usage_limit', reset), plan('T001')], 'plan/r0.again1': [plan('T001')] }),
    )
    expect(played.state.quotas).toEqual({})
    const stuck = play(config, (work) =>
      work.kind === 'turn' && work.role === 'planner'
        ? plan('T001', 'T002')
        : work.id === 'T001/a1/implement'
          ? agentError('rate_limited', reset)
          : undefined,
    )
    expect(turns(stuck).map(({ model }) => model)).toEqual(['small', 'large', 'large', 'large'])
  })

  test('overloaded is not out of quota: the same agent tries again', () => {
    const played = play(
      quick({ parallel: 1, onUsageLimit: 'fallback' }),
      world({ 'T001/a1/implement': [agentError('overloaded')] }),
    )
    expect(new Set(turns(played).map(({ agent }) => agent))).toEqual(new Set(['a']))
  })

  test('pause pauses the run and says until when', () => {
    const played = play(quick({ onUsageLimit: 'pause' }), world({ 'plan/r0': [agentError('usage_limit', reset)] }))
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'wait' } })
    expect(played.resume().state.status).toBe('completed')
  })
})

test.each<[string, RunConfig['agents'], string]>([
  ['claude', {}, ': run `claude` once and log in, or set ANTHROPIC_API_KEY'],
  ['mine', { mine: { type: 'codex' } }, ': run `codex login`, or set CODEX_API_KEY'],
  ['gemini', {}, `: ${wayToLogIn('gemini')}`],
  ['opencode', {}, `: ${wayToLogIn('opencode')}`],
  // A custom command may log in differently, so no login command is shown.
  ['claude', { claude: { command: ['mine'] } }, ''],
  ['mine', { mine: { command: ['mine'] } }, ''],
])('without a login to %s (%j) the run pauses and says what doctor says', (agent, given, way) => {
  const { state } = play(quick({ agent, agents: given }), world({ 'plan/r0': [agentError('auth')] }))
  expect(state).toMatchObject({
    status: 'paused',
    pause: { kind: 'auth', hint: `Log in to ${agent}${way}, then: looper resume` },
  })
})

test('F19: a turn gets the rest of the cost limit', () => {
  const config = quick({ parallel: 1, ...limits({ costUsd: 5 }) })
  const played = play(config, world({ 'T001/a1/implement': [inSession(coded(), 's', 2)] }))
  expect(turns(played).map(({ budgetUsd }) => budgetUsd)).toEqual([5, 5, 3])
  expect(
    turns(play(quick(limits({ costUsd: null })), world({}))).every(({ budgetUsd }) => budgetUsd === undefined),
  ).toBe(true)
})

test('an agent has at most its limit of concurrent turns', () => {
  const config = quick({ parallel: 3, agents: { a: { command: ['a'], concurrency: 1 } } })
  let most = 0
  const played = play(config, (work, state) => {
    most = Math.max(most, Object.values(state.works).filter(({ work: { kind } }) => kind === 'turn').length)
    return work.kind === 'turn' && work.role === 'planner' ? plan('T001', 'T002', 'T003') : undefined
  })
  expect(played.state.status).toBe('completed')
  expect(most).toBe(1)
})
