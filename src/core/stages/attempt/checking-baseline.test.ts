import { describe, expect, test } from 'vitest'
import { checks, config, onBase, red } from '../../../../test/kit/checked-runs.ts'
import { checkExit, play } from '../../../../test/kit/play.ts'
import type { CheckOutcome } from '../../../model/work.ts'

describe('F12: the baseline', () => {
  test('checks run on the base before the first task, while the planner plans', () => {
    const played = play(
      config(),
      checks(() => undefined),
    )
    const order = played.events.flatMap((event) =>
      event.type === 'work.started' ? [event.work.id] : event.type === 'baseline.taken' ? ['taken'] : [],
    )
    expect(order.indexOf('taken')).toBeLessThan(order.indexOf('T001/a1/prepare'))
    expect(order.indexOf('baseline/1')).toBeLessThan(
      order.indexOf('plan/r0/review') === -1 ? order.length : order.indexOf('plan/r0/review'),
    )
    expect(played.state.baseline).toEqual({
      tree: 'tree of c0',
      checks: [{ check: 'test', passed: true, failing: null, fingerprint: null }],
    })
  })

  test('in place no other work runs during the baseline', () => {
    const inPlaceConfig = config({ parallel: 1, workspace: { mode: 'in-place', setup: null, copy: [], commit: false } })
    const played = play(
      inPlaceConfig,
      checks(() => undefined),
    )
    const order = played.of('work.started').map(({ work }) => work.id)
    expect(order.indexOf('plan/r0')).toBeGreaterThan(order.indexOf('baseline/1'))
  })

  const cases: readonly [
    name: string,
    base: CheckOutcome,
    task: CheckOutcome,
    goal: string,
    status: string,
    evidence: unknown[],
  ][] = [
    [
      'the same tests fail as on the base',
      red(['a', 'b'], 10),
      red(['a'], 10, 'f2'),
      'add x',
      'done',
      [{ check: 'test', exitCode: 1, noWorse: true }],
    ],
    ['one more test fails than on the base', red(['a'], 10), red(['a', 'b'], 10), 'add x', 'failed', []],
    ['one that was red by that name fails twice', red(['a'], 10), red(['a', 'a'], 10), 'add x', 'failed', []],
    ['tests are gone', red(['a'], 10), red(['a'], 2), 'add x', 'failed', []],
    [
      'tests have come',
      red(['a'], 2),
      red(['a'], 10),
      'add x',
      'done',
      [{ check: 'test', exitCode: 1, noWorse: true }],
    ],
    ['no other test passes', red(['a'], 10), red(['a'], 0, 'f2'), 'add x', 'failed', []],
    ['the same failure without test names, and no other check proves the work', red(), red(), 'add x', 'failed', []],
    ['another failure than on the base', red(), red([], 0, 'f9'), 'add x', 'failed', []],
  ]
  test.each(cases)('%s', (_name, base, task, _goal, status, evidence) => {
    const played = play(
      config(),
      checks((work) => (onBase(work) ? base : work.task === 'T001' ? task : checkExit(1, task))),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status, evidence })
  })

  test('a check that is as red as on the base blames no task when another check proves the work', () => {
    const two = [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint' },
    ]
    const played = play(
      config({ checks: two }),
      checks((work) => (work.name === 'test' ? red() : undefined)),
    )
    expect(played.state.status).toBe('completed')
    expect(played.state.tasks['T001']?.evidence).toMatchObject([{ check: 'lint' }])
  })

  test('fewer tests may pass when a task of the run removes some', () => {
    const drop = [
      { id: 'T001', title: 'Remove the old tests', allows: ['remove-tests'] },
      { id: 'T002', dependsOn: ['T001'] },
    ]
    const played = play(
      config(),
      checks((work) => (onBase(work) ? red(['a'], 10) : red(['a'], 2)), drop),
    )
    expect(played.state.counts.done).toBe(2)
  })

  test('a task that must repair the check is not done while the check is red', () => {
    const repair = [{ id: 'T001', title: 'Fix the failing tests' }]
    const played = play(
      config(),
      checks(() => red(['a'], 10), repair),
    )
    expect(played.state.tasks['T001']?.status).toBe('failed')
    const named = play(
      config(),
      checks(() => red(['a'], 10), [{ id: 'T001', title: 'x', checks: ['test'] }]),
    )
    expect(named.state.tasks['T001']?.status).toBe('failed')
  })

  test('F14: a check that is flaky on the base is found there', () => {
    const played = play(
      config(),
      checks((work) => (work.id === 'baseline/1' ? checkExit(1) : undefined)),
    )
    expect(played.state.flaky).toEqual({ test: { check: 'test', runs: 2, passed: 1, task: null } })
  })
})
