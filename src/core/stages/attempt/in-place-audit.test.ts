import { describe, expect, test } from 'vitest'
import { backlog, config } from '../../../../test/kit/in-place-runs.ts'
import { checkExit, planOf, play, type World } from '../../../../test/kit/play.ts'

const ran = (played: ReturnType<typeof play>, name: string): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'check' && work.name === name ? [work.id] : []))

describe('F16: checks on the whole, in place', () => {
  const slow =
    (exit: 0 | 1): World =>
    (work) =>
      work.kind === 'check' && work.name === 'slow' ? checkExit(exit) : undefined

  test.each([false, true])('run when no task is left to start (commits %s)', (commit) => {
    const inPlaceConfig = config({ workspace: { mode: 'in-place', setup: null, copy: [], commit } })
    const played = play(inPlaceConfig, backlog(3))
    expect(played.state.status).toBe('completed')
    expect(ran(played, 'slow')).toEqual(['wave3/check/2', 'gate/g0/check/2'])
    expect(ran(played, 'test').filter((id) => id.startsWith('wave'))).toHaveLength(1)
    expect(played.state.gate.checks).toMatchObject([
      { check: 'test', passed: true },
      { check: 'slow', passed: true, exitCode: 0 },
    ])
  })

  test('run when 8 tasks are done since the last time', () => {
    expect(ran(play(config(), backlog(10)), 'slow')).toEqual(['wave8/check/2', 'wave10/check/2', 'gate/g0/check/2'])
  })

  test('a red check prevents completion, is recorded, and is rerun after a resume', () => {
    const played = play(config(), backlog(2, slow(1)))
    expect(played.state).toMatchObject({ status: 'failed', reason: 'the final checks are red: slow' })
    expect(played.state.gate.checks.find(({ check }) => check === 'slow')).toMatchObject({
      passed: false,
      exitCode: 1,
      tail: 'boom',
    })
    const again = played.resume({}, backlog(0, slow(1)))
    expect(again.state.status).toBe('failed')
    expect(ran(again, 'slow')).toHaveLength(2)
    expect(again.resume({}, backlog(0)).state.status).toBe('completed')
  })

  test('a check that was red before the first task does not count as worse', () => {
    const played = play(config({ baseline: 'no-worse' }), backlog(1, slow(1)))
    expect(played.state.status).toBe('completed')
  })

  test('no tree is checked twice when no check waits or a gate follows', () => {
    const plain = play(config({ checks: [{ name: 'test', run: 'npm test' }] }), backlog(2))
    expect(plain.of('branch.audited')).toEqual([])
    const gated = play(config({ workflow: 'supervised' }), (work) =>
      work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'T001' }])
        : work.kind === 'check' && work.name === 'slow'
          ? checkExit(1)
          : undefined,
    )
    expect(ran(gated, 'slow')).toEqual(['gate/g1/check/2'])
    expect(gated.state.status).toBe('failed')
  })
})
