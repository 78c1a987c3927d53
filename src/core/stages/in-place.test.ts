import { describe, expect, test } from 'vitest'
import { baseConfig, checkExit, limits, planOf, play, type World } from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import type { SourceTask } from '../../model/source.ts'

const item = (id: string): SourceTask =>
  ({ id, title: `Do ${id}`, description: '', dependsOn: [], criteria: [], files: [], type: null, priority: 1, status: 'todo', reason: null })
const config = (changes: Partial<RunConfig> = {}): RunConfig => baseConfig({
  workflow: 'backlog', review: false, parallel: 1, workspace: { mode: 'in-place', setup: null, copy: [], commit: false },
  checks: [{ name: 'test', run: 'npm test' }, { name: 'slow', run: 'sh slow.sh', when: 'wave' }],
  ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 1 }), ...changes,
})
const backlog = (count: number, answer: World = () => undefined): World => (work, state) => {
  const said = answer(work, state)
  if (said !== undefined || work.kind !== 'sync') return said
  const claim = work.claim === null ? null : { task: work.claim, ok: true }
  const tasks = work.id === 'look/0' ? Array.from({ length: count }, (_, place) => item(`T${place + 1}`)) : []
  return { kind: 'sync', tasks, removed: [], claim, complete: false, problems: [] }
}
const ran = (played: ReturnType<typeof play>, name: string): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'check' && work.name === name ? [work.id] : []))

describe('F16: checks that wait for the whole, in place', () => {
  const slow = (exit: 0 | 1): World => (work) => (work.kind === 'check' && work.name === 'slow' ? checkExit(exit) : undefined)

  test.each([false, true])('run when nothing is left to begin (commits %s)', (commit) => {
    const place = config({ workspace: { mode: 'in-place', setup: null, copy: [], commit } })
    const played = play(place, backlog(3))
    expect(played.state.status).toBe('completed')
    expect(ran(played, 'slow')).toEqual(['wave3/check/2'])
    expect(ran(played, 'test').filter((id) => id.startsWith('wave'))).toHaveLength(1)
    expect(played.state.gate.checks).toMatchObject([{ check: 'test', passed: true }, { check: 'slow', passed: true, exitCode: 0 }])
  })

  test('and when 8 tasks were done since', () => {
    expect(ran(play(config(), backlog(10)), 'slow')).toEqual(['wave8/check/2', 'wave10/check/2'])
  })

  test('a red one keeps the run from being completed, is in its records, and is looked at again after a resume', () => {
    const played = play(config(), backlog(2, slow(1)))
    expect(played.state).toMatchObject({ status: 'failed', reason: 'the final checks are red: slow' })
    expect(played.state.gate.checks.find(({ check }) => check === 'slow')).toMatchObject({ passed: false, exitCode: 1, tail: 'boom' })
    const again = played.resume({}, backlog(0, slow(1)))
    expect(again.state.status).toBe('failed')
    expect(ran(again, 'slow')).toHaveLength(2)
    expect(again.resume({}, backlog(0)).state.status).toBe('completed')
  })

  test('one that was red before the first task is no worse for it', () => {
    const played = play(config({ baseline: 'no-worse' }), backlog(1, slow(1)))
    expect(played.state.status).toBe('completed')
  })

  test('nothing is looked at twice where no check waits, nor where a gate follows', () => {
    const plain = play(config({ checks: [{ name: 'test', run: 'npm test' }] }), backlog(2))
    expect(plain.of('branch.audited')).toEqual([])
    const gated = play(config({ workflow: 'supervised' }), (work) => (work.kind === 'turn' && work.role === 'planner' ? planOf([{ id: 'T001' }]) : (work.kind === 'check' && work.name === 'slow' ? checkExit(1) : undefined)))
    expect(ran(gated, 'slow')).toEqual(['gate/g1/check/2'])
    expect(gated.state.status).toBe('failed')
  })
})
