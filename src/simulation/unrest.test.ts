/** Worlds in which work does not converge: the drawn conditions really occur, and the run survives them. */
import { expect, test } from 'vitest'
import type { Event } from '../model/event.ts'
import { historyText } from './history-text.ts'
import { play, type PlayOptions } from './play.ts'
import type { Fault } from './scenario.ts'
import type { Simulated } from './simulate.ts'

const calm: Partial<PlayOptions> = { config: { review: false, parallel: 1 } }
const of = ({ history }: Simulated, type: Event['type']): Event[] => history.filter((event) => event.type === type)

test('a change that breaks what another was accepted by is found, taken back and made again', async () => {
  const simulated = await play({
    ...calm,
    unrest: {},
    plan: [
      { id: 'T001', checks: ['accept T001'] },
      { id: 'T002', dependsOn: ['T001'], breaks: 'T001' },
      { id: 'T003' },
    ],
  })
  expect(simulated.violations).toEqual([])
  expect(of(simulated, 'task.undone')).toMatchObject([{ task: 'T002', why: 'culprit' }])
  expect(simulated.state).toMatchObject({ status: 'completed', counts: { done: 3 } })
})

test('one that cannot be taken back alone is rolled back', async () => {
  const simulated = await play({
    ...calm,
    unrest: {},
    plan: [
      { id: 'T001', checks: ['accept T001'] },
      { id: 'T002', dependsOn: ['T001'], breaks: 'T001', shared: true },
      { id: 'T003', dependsOn: ['T002'], shared: true },
    ],
  })
  expect(simulated.violations).toEqual([])
  expect(of(simulated, 'rolled.back')).toContainEqual(
    expect.objectContaining({ why: 'culprit', tasks: ['T002', 'T003'] }),
  )
  expect(historyText(simulated)).toContain('** the branch goes back to')
})

test('weaker tests do not land where nothing shows that the product is right, and new ones are proof or not', async () => {
  const plan = [
    { id: 'T001', tests: 'proving' },
    { id: 'T002', tests: 'idle' },
  ] as const
  const config = { review: false, parallel: 1, limits: { splitDepth: 0 } }
  const weakened = await play({
    config: { ...config, checks: [{ name: 'lint', run: 'lint' }] },
    plan: [...plan],
    unrest: { tampering: 1 },
  })
  expect(weakened.violations).toEqual([])
  expect(weakened.state).toMatchObject({ status: 'paused', pause: { kind: 'question' }, counts: { done: 0 } })
  const harmless = await play({
    config: { ...config, checks: [{ name: 'test', run: 'test' }] },
    plan: [...plan],
    unrest: { tampering: 1 },
  })
  expect(harmless.violations).toEqual([])
  expect(of(harmless, 'finding.raised')).toContainEqual(expect.objectContaining({ severity: 'WARNING' }))
  const honest = await play({ ...calm, plan: [...plan], unrest: {} })
  expect(honest.violations).toEqual([])
  expect(of(honest, 'proof.given')).toMatchObject([
    { task: 'T001', proved: true },
    { task: 'T002', proved: false },
  ])
})

test('a check that was red before fails only the task that is to fix it', async () => {
  const config = {
    review: false,
    parallel: 1,
    checks: [
      { name: 'test', run: 'test' },
      { name: 'lint', run: 'lint' },
    ],
  }
  const simulated = await play({
    config,
    unrest: { base: 'named' },
    plan: [{ id: 'T001' }, { id: 'T002', asks: 'fix' }],
  })
  expect(simulated.violations).toEqual([])
  expect(of(simulated, 'check.finished')).toEqual(
    expect.arrayContaining([expect.objectContaining({ check: 'test', excuse: 'no-worse' })]),
  )
  expect(simulated.state.status).toBe('completed')
})

test('a person rolls back a live run, and one that has ended', async () => {
  const plan = [{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'] }]
  const order: Fault = {
    kind: 'command',
    after: 1,
    delayMs: 0,
    during: 'checkpoint',
    command: { do: 'rollback', to: 'base', nth: 0 },
  }
  const live = await play({ ...calm, plan, unrest: {}, faults: [order] })
  expect(live.violations).toEqual([])
  expect(of(live, 'rolled.back')).toMatchObject([{ why: 'person' }])
  const ended = await play({ ...calm, plan, unrest: { regrets: 1 }, resumes: 1, seed: 4 })
  expect(ended.violations).toEqual([])
  expect(ended.state.status).toBe('completed')
  expect(of(ended, 'rolled.back').length).toBeGreaterThan(0)
})
