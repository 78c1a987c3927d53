import { coders, config, onBase, world } from '../../../test/kit/preflight-runs.ts'
import { describe, expect, test } from 'vitest'
import { checkExit, limits, play } from '../../../test/kit/play.ts'
import type { CheckOutcome } from '../../model/work.ts'

describe('a base on which checks fail', () => {
  const red = (failing: string[] = [], passing = 0): CheckOutcome =>
    checkExit(1, { tests: failing.length + passing, ...(failing.length > 0 ? { failing } : {}), passing })

  test('pauses when no check is left that can prove anything', () => {
    const played = play(
      config(),
      world(() => red()),
    )
    expect(coders(played)).toEqual([])
    expect(played.state.pause).toMatchObject({ kind: 'setup', preflight: 'red' })
    expect(played.state.pause?.remedies?.map(({ command }) => command)).toEqual([
      'looper config set baseline fix-first',
      "looper config set checks '<command>'",
      "looper config set checks '[]'",
      null,
    ])
  })

  test.each([
    ['named tests and passing ones', [red(['a'], 3)], 'running'],
    ['named tests, and none passes', [red(['a'], 0)], 'paused'],
    ['a second check that is green', [red(), checkExit(0)], 'running'],
    ['two red checks', [red(), red()], 'paused'],
  ])('%s', (_name, outcomes, status) => {
    const checks = outcomes.map((_, nth) => ({ name: `check ${nth + 1}`, run: `run ${nth + 1}` }))
    const played = play(
      config({ checks, checkReruns: 0, ...limits({ turns: 2 }) }),
      world((work) => (onBase(work) ? outcomes[Number(work.name.slice(-1)) - 1] : undefined)),
    )
    expect(played.state.pause?.preflight === undefined ? 'running' : 'paused').toBe(status)
  })

  test.each(['test -f hello.txt', '[ -f hello.txt ]', 'grep -q hello a.txt', '! grep -q bye a.txt'])(
    'a condition that the work is to meet proves it: %s',
    (run) => {
      const played = play(
        config({ checks: [{ name: run, run }] }),
        world((work) => (onBase(work) ? checkExit(1, { tail: '' }) : undefined)),
      )
      expect(played.state.status).toBe('completed')
    },
  )

  test('a goal that asks for the repair starts', () => {
    const played = play(
      config(),
      world((work) => (onBase(work) ? red() : undefined)),
      { goal: 'Fix the failing tests' },
    )
    expect(played.state.status).toBe('completed')
  })

  test('no-worse goes on as it is', () => {
    const played = play(
      config({ baseline: 'no-worse' }),
      world((work) => (onBase(work) ? red() : undefined)),
    )
    expect(coders(played)).not.toEqual([])
  })

  test('fix-first: a task that repairs the check comes before all others', () => {
    let isFixed = false
    const played = play(
      config({ baseline: 'fix-first' }),
      world((work) => {
        isFixed ||= work.task === 'B001'
        return isFixed ? undefined : red()
      }),
    )
    expect(played.state.status).toBe('completed')
    expect(played.state.tasks['B001']).toMatchObject({
      title: 'Make check test pass',
      repairs: ['test'],
      status: 'done',
    })
    expect(['T001', 'T002', 'T003'].map((id) => played.state.tasks[id]?.dependsOn)).toEqual([
      ['B001'],
      ['B001'],
      ['B001'],
    ])
    expect(played.of('task.finished').map(({ task }) => task)[0]).toBe('B001')
  })

  test('fix-first: nothing else starts when the repair fails', () => {
    const played = play(
      config({ baseline: 'fix-first' }),
      world(() => red()),
    )
    expect(coders(played).every((id) => id.startsWith('B001'))).toBe(true)
    expect(played.state.status).toBe('failed')
  })

  test('fix-first: a check that is green after a resume needs no repair', () => {
    let isGreen = false
    const played = play(
      config({ baseline: 'fix-first', ...limits({ turns: 0 }) }),
      world(() => (isGreen ? undefined : red())),
    )
    expect(played.state).toMatchObject({ status: 'paused', tasks: { B001: { status: 'todo' } } })
    isGreen = true
    played.resume({ turns: null })
    expect(played.state).toMatchObject({ status: 'completed', tasks: { B001: { status: 'cancelled' } } })
  })
})

test('a remembered base is recorded as such', () => {
  const played = play(
    config(),
    world((work) => (onBase(work) ? checkExit(0, { remembered: true }) : undefined)),
  )
  expect(played.of('baseline.taken')).toMatchObject([{ remembered: true, checks: [{ passed: true }] }])
})
