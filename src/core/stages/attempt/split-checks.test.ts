import { expect, test } from 'vitest'
import { baseConfig, checkExit, limits, planOf, play, type Played, type World } from '../../../../test/kit/play.ts'
import type { Work } from '../../../model/work.ts'

const whole = 'node accept.js'
const config = baseConfig({ review: false, parallel: 4, ...limits({ fixCycles: 1, attempts: 1, goalIterations: 0 }) })

/** T001 fails as a whole and is split; its check stays red until `accepts` returns true. */
const world =
  (parts: Record<string, unknown>[], accepts: (work: Work) => boolean): World =>
  (work) => {
    if (work.kind === 'turn' && work.purpose === 'plan') return planOf([{ id: 'T001', checks: [whole] }])
    if (work.kind === 'turn' && work.purpose === 'split') return planOf(parts)
    if (work.kind === 'check' && work.name === whole) return checkExit(accepts(work) ? 0 : 1)
    return undefined
  }
const inARow = [
  { id: 'x', title: 'x' },
  { id: 'y', title: 'y', dependsOn: ['x'] },
]
const sideBySide = [
  { id: 'x', title: 'x' },
  { id: 'y', title: 'y' },
]
const asked = (task: string, { of }: Played): string[] =>
  of('work.started').flatMap(({ work }) =>
    work.kind === 'check' && work.name === whole && work.id.startsWith(task) ? [work.id] : [],
  )

test('B6: the last part of a split task runs the acceptance check of the task, and may fix it', () => {
  const played = play(
    config,
    world(inARow, ({ id }) => id === 'T001.2/a1/check1/2' || id.startsWith('wave') || id.startsWith('gate')),
  )
  expect(asked('T001.1', played)).toEqual([])
  expect(asked('T001.2', played)).toEqual(['T001.2/a1/check0/2', 'T001.2/a1/check1/2'])
  expect(played.state.status).toBe('completed')
  expect(played.state.tasks['T001.2']?.evidence.map(({ check }) => check)).toContain(whole)
})

test('B6: a last part that leaves the acceptance check red does not land', () => {
  const played = play(
    config,
    world(inARow, () => false),
  )
  expect(played.state).toMatchObject({ status: 'failed' })
  expect(played.state.tasks['T001.1']?.status).toBe('done')
  expect(played.state.tasks['T001.2']?.status).not.toBe('done')
})

test('B6: the gate runs the acceptance check of parts that were done in parallel', () => {
  const played = play(
    config,
    world(sideBySide, () => false),
  )
  expect(played.state.counts.done).toBe(2)
  expect(played.state).toMatchObject({ status: 'failed', reason: expect.stringContaining(`${whole} failed`) })
  expect(
    play(
      config,
      world(sideBySide, ({ id }) => id.startsWith('gate')),
    ).state.status,
  ).toBe('completed')
})

/** The check of T001 is green when T001 lands and red on every later tree: no change turned it red. */
const sinceLanding: World = (work) => {
  if (work.kind === 'turn' && work.purpose === 'plan') return planOf([{ id: 'T001', checks: [whole] }, { id: 'T002' }])
  if (work.kind === 'check' && work.name === whole) return checkExit(work.id.startsWith('T001/') ? 0 : 1)
  return undefined
}

test('a red acceptance check of a done task prevents completion', () => {
  const played = play(config, sinceLanding)
  expect(played.of('branch.audited').at(-1)?.red).toEqual([whole])
  expect(played.of('task.undone')).toEqual([])
  expect(played.state).toMatchObject({ status: 'failed', reason: `the final checks are red: ${whole} failed (exit 1)` })
})

test('every acceptance check runs once at the gate', () => {
  const tasks = [
    { id: 'T001', checks: [whole] },
    { id: 'T002', checks: [whole, 'node other.js'] },
  ]
  const played = play(config, (work) => (work.kind === 'turn' && work.purpose === 'plan' ? planOf(tasks) : undefined))
  const atGate = played
    .of('check.finished')
    .filter(({ task }) => task === null)
    .map(({ check }) => check)
  expect(atGate).toEqual(['test', whole, 'node other.js'])
})
