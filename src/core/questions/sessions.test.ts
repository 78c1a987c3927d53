import { describe, expect, test } from 'vitest'
import { inSession, quick, reset, turn, turns, world } from '../../../test/kit/agent-answers.ts'
import { agentError, checkExit, coded, invalid, plan, play, type World } from '../../../test/kit/play.ts'

describe('sessions', () => {
  test('a repair turn continues the session of the invalid answer and knows what the session has consumed', () => {
    const played = play(quick(), world({ 'T001/a1/implement': [inSession(invalid('no'), 's1', 0.5)] }))
    expect(turn(played, 'T001/a1/implement.repair')?.session).toEqual({
      id: 's1',
      spent: { inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
    })
  })

  const red: World = (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return plan('T001')
    if (work.id === 'T001/a1/implement') return inSession(coded(), 's1', 1)
    if (work.id === 'T001/a1/fix1') return inSession(coded(), 's1', 2)
    return work.kind === 'check' && /check[01]/.test(work.id) ? checkExit(1) : undefined
  }

  test('a fix starts a new session, unless sessions are resumed; then the costs add up', () => {
    expect(turn(play(quick(), red), 'T001/a1/fix1')?.session).toBeUndefined()
    const resumed = play(quick({ sessions: 'resume' }), red)
    expect(turn(resumed, 'T001/a1/fix1')?.session).toEqual({
      id: 's1',
      spent: { inputTokens: 10, outputTokens: 1, costUsd: 1 },
    })
    expect(turn(resumed, 'T001/a1/fix2')?.session).toEqual({
      id: 's1',
      spent: { inputTokens: 20, outputTokens: 2, costUsd: 3 },
    })
  })

  test('a missing session is replaced by a new one, which costs no retry', () => {
    const played = play(quick({ sessions: 'resume' }), (work, state) =>
      work.id === 'T001/a1/fix1'
        ? agentError('session_not_found')
        : work.id === 'T001/a1/fix1.fresh'
          ? agentError('crash')
          : red(work, state),
    )
    expect(turns(played).map(({ id }) => id)).toEqual(
      expect.arrayContaining(['T001/a1/fix1', 'T001/a1/fix1.fresh', 'T001/a1/fix1.retry']),
    )
    expect(turn(played, 'T001/a1/fix1.fresh')?.session).toBeUndefined()
    expect(played.state.status).toBe('completed')
  })

  test('errors of a new session are dropped once the question is answered, also after a pause', () => {
    let isTired = true
    const config = quick({ sessions: 'resume', onUsageLimit: 'pause', review: true })
    const played = play(config, (work, state) => {
      if (
        work.kind === 'turn'
        && work.purpose === 'verify-task'
        && state.tasks['T001']?.attempt?.round === 1
        && isTired
      )
        return agentError('usage_limit', reset)
      if (work.id === 'T001/a1/fix1') return agentError('session_not_found')
      if (work.id === 'T001/a1/fix1.fresh') return agentError('overloaded')
      return work.kind === 'check' && work.id.includes('check0')
        ? checkExit(1)
        : work.id === 'T001/a1/implement'
          ? inSession(coded(), 's1')
          : undefined
    })
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'wait' } })
    isTired = false
    expect(played.resume().state.status).toBe('completed')
    expect(
      turns(played)
        .filter(({ slot }) => slot === 'T001/a1/fix1')
        .map(({ id }) => id),
    ).toEqual(['T001/a1/fix1', 'T001/a1/fix1.fresh', 'T001/a1/fix1.again1'])
  })

  test('is not given to another agent', () => {
    const played = play(quick({ sessions: 'resume', onUsageLimit: 'fallback' }), (work, state) =>
      work.id === 'T001/a1/fix1' ? agentError('usage_limit', reset) : red(work, state),
    )
    expect(turn(played, 'T001/a1/fix1.again1')).toMatchObject({ agent: 'b' })
    expect(turn(played, 'T001/a1/fix1.again1')?.session).toBeUndefined()
  })
})

test('a prompt that was too long is tried once more, shorter', () => {
  const played = play(quick(), world({ 'T001/a1/implement': [agentError('context_overflow')] }))
  expect(turn(played, 'T001/a1/implement')?.lean).toBeUndefined()
  expect(turn(played, 'T001/a1/implement.retry')?.lean).toBe(true)
})
