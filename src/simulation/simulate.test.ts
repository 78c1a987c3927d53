/**
 * Tests of the simulation itself: it is deterministic, its faults really strike, and its violations can be shrunk and
 * printed.
 */
import { expect, test } from 'vitest'
import type { Checker } from './checker.ts'
import { historyText } from './history-text.ts'
import { play } from './play.ts'
import { defaultConfig, type Fault, type Scenario } from './scenario.ts'
import { scenarioOf } from './draw-scenario.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'

const calm = (changes: Partial<Scenario> = {}): Scenario => ({
  seed: 1,
  trouble: 0,
  discovery: false,
  badHints: false,
  faults: [],
  resumes: 0,
  patient: false,
  config: defaultConfig(),
  plan: ['T001', 'T002'].map((id) => ({ id, dependsOn: [], checks: [], shared: false, clash: false })),
  ...changes,
})

const crash: Fault = { kind: 'crash', after: 20, delayMs: 0, machine: false, writing: true, tail: 'torn' }

test('the same seed gives the same history, to the letter', async () => {
  for (const seed of [3, 57, 1_234]) {
    const [one, two] = [await simulate(seed), await simulate(seed)]
    expect(JSON.stringify(two.history)).toBe(JSON.stringify(one.history))
    expect(JSON.stringify(two.steps)).toBe(JSON.stringify(one.steps))
  }
})

test('different seeds give different worlds', () => {
  const worlds = Array.from({ length: 50 }, (_, seed) => JSON.stringify({ ...scenarioOf(seed), seed: 0 }))
  expect(new Set(worlds).size).toBeGreaterThan(40)
})

test('a calm world completes', async () => {
  const { state, violations } = await simulate(1, { scenario: calm() })
  expect(violations).toEqual([])
  expect(state).toMatchObject({ status: 'completed', counts: { done: 2 } })
})

test.each<[string, Fault, (text: string) => void]>([
  ['a crash', crash, (text) => expect(text).toContain('engine 2 starts')],
  [
    'a machine that dies',
    { ...crash, machine: true, writing: false, delayMs: 100 },
    (text) => expect(text).toContain('killed'),
  ],
  [
    'a full disk',
    { kind: 'disk-full', after: 20, delayMs: 0, forMs: 5_000 },
    (text) => expect(text).toContain('ENVIRONMENT_DISK_FULL'),
  ],
  [
    'a disk that fails once',
    { kind: 'disk-error', after: 20, delayMs: 0, tail: 'torn' },
    (text) => expect(text).toContain('ENVIRONMENT_IO'),
  ],
  [
    'a second engine',
    { kind: 'second-engine', after: 20, delayMs: 0 },
    (text) => expect(text).toContain('refuses JOURNAL_CONFLICT'),
  ],
  [
    'a clock set forward',
    { kind: 'clock-jump', after: 20, delayMs: 0, ms: 3_600_000 },
    (text) => expect(text).toMatch(/ 01:0/),
  ],
  [
    'a clock set back',
    { kind: 'clock-jump', after: 20, delayMs: 0, ms: -3_600_000 },
    (text) => expect(text).toContain('clock-jump'),
  ],
  [
    'lost worktrees',
    { kind: 'worktrees-deleted', after: 21, delayMs: 100 },
    (text) => expect(text).toContain('worktrees-deleted'),
  ],
  [
    'a skipped task',
    { kind: 'command', after: 22, delayMs: 0, command: { do: 'skip', nth: 0 } },
    (text) => expect(text).toContain('skipped by'),
  ],
])('%s strikes and the run survives it', async (_name, fault, expectation) => {
  const simulated = await simulate(1, { scenario: calm({ faults: [fault] }) })
  expect(simulated.violations).toEqual([])
  expect(simulated.state.status).toBe('completed')
  expectation(historyText(simulated))
})

test('a hanging agent is ended by its engine, also by one that adopted it', async () => {
  for (const faults of [[], [{ ...crash, writing: false, delayMs: 60_000 }]]) {
    const simulated = await play({
      plan: [{ id: 'T001' }],
      faults,
      turn: ({ id }) => (id === 'T001/a1/implement' ? { durationMs: Infinity } : undefined),
    })
    expect(simulated.violations).toEqual([])
    expect(simulated.state.status).toBe('completed')
    const hung = simulated.history.filter((event) => event.type === 'work.finished' && event.id === 'T001/a1/implement')
    expect(hung).toMatchObject([{ outcome: { status: 'error', error: { kind: 'stalled' } } }])
    expect(historyText(simulated)).toContain('<- T001/a1/implement (start 1) killed')
  }
})

test('leftovers of the final checks are removed, wherever the engine dies before the verdict', async () => {
  const skip: Fault = { kind: 'command', after: 12, delayMs: 0, command: { do: 'skip', nth: 0 } }
  for (let seed = 1; seed <= 12; seed++) {
    for (let after = 20; after <= 36; after++) {
      const faults = [skip, { ...crash, after, stage: 'gate' } as const]
      const { violations } = await simulate(seed, { scenario: calm({ seed, plan: calm().plan.slice(0, 1), faults }) })
      expect(violations).toEqual([])
    }
  }
})

const never = (task: string, law: string): Checker => ({
  law,
  watch: (_history, report) => ({
    after(event) {
      if (event.type === 'task.started' && event.task === task) report(`${task} starts`, event.seq)
    },
  }),
})
const noSecondTask = never('T002', 'no-second-task')

test('a violation is shrunk to a small world that still shows it, and its history is readable', async () => {
  const scenario = calm({
    trouble: 0.1,
    badHints: true,
    resumes: 2,
    faults: [crash, { kind: 'clock-jump', after: 5, delayMs: 3, ms: 10 }],
    plan: ['T001', 'T002', 'T003', 'T004'].map((id) => ({ id, dependsOn: [], checks: [], shared: true, clash: false })),
  })
  const failing = await simulate(1, { scenario, checkers: [noSecondTask] })
  expect(failing.violations).toHaveLength(1)
  const small = await shrink(failing, { checkers: [noSecondTask] })
  expect(small.scenario).toMatchObject({ faults: [], trouble: 0, badHints: false, resumes: 0 })
  expect(small.scenario.config).toMatchObject({ review: false, parallel: 1, checks: [] })
  expect(small.scenario.plan.map(({ id }) => id)).toEqual(['T002'])
  expect(historyText(small)).toMatch(/task\.started .*\n {2}!! no-second-task: T002 starts/)
})

test('a world that breaks two laws is shrunk for the one that broke first', async () => {
  const both = { checkers: [noSecondTask, never('T001', 'no-first-task')] }
  const failing = await simulate(1, { scenario: calm(), ...both })
  expect(failing.violations.map(({ law }) => law)).toEqual(['no-first-task', 'no-second-task'])
  const small = await shrink(failing, both)
  expect(small.scenario.plan.map(({ id }) => id)).toEqual(['T001'])
})
