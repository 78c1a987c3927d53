/** Worlds in which work does not converge: the drawn conditions really occur, and the run survives them. */
import { expect, test } from 'vitest'
import type { Event } from '../model/event.ts'
import { historyText } from './history-text.ts'
import { play, type PlayOptions } from './play.ts'
import { moments, type Fault, type Moment } from './scenario.ts'
import { scenarioOf } from './draw-scenario.ts'
import { simulate, type Simulated } from './simulate.ts'
import { isPartOf } from './user-orders.ts'

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
  expect(weakened.state).toMatchObject({ status: 'failed', counts: { done: 0 } })
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
    unrest: { base: 'told' },
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

test('crashes strike in the middle of everything that only such worlds do', { timeout: 600_000 }, async () => {
  const struck = new Set<Moment>()
  const happened = new Set<string>()
  for (let seed = 2; seed <= 1_200 && (struck.size < moments.length || happened.size < 8); seed += 2) {
    if (!scenarioOf(seed).faults.some(({ during }) => during !== undefined)) continue
    const { steps, history, violations } = await simulate(seed)
    expect(violations).toEqual([])
    for (const step of steps)
      if (step.kind === 'fault' && step.fault.kind === 'crash' && step.fault.during) struck.add(step.fault.during)
    for (const event of history) {
      if (event.type === 'rolled.back' && event.why !== 'REGRESSING') happened.add(`rolled back: ${event.why}`)
      if (event.type === 'task.undone') happened.add(`undone: ${event.why}`)
      if (event.type === 'race.decided' || event.type === 'proof.given') happened.add(event.type)
      if (event.type === 'work.started' && isPartOf(event.work, 'resolve')) happened.add('a conflict is resolved')
    }
  }
  expect([...struck].toSorted()).toEqual([...moments].toSorted())
  expect([...happened].toSorted()).toEqual([
    'a conflict is resolved',
    'proof.given',
    'race.decided',
    'rolled back: FLIP-FLOPPING',
    'rolled back: culprit',
    'rolled back: person',
    'undone: culprit',
    'undone: review',
  ])
})
