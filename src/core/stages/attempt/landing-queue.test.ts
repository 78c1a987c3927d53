/** Given/when/then: each test ends work in a chosen order and checks what is under way then. */
import { expect, test } from 'vitest'
import { baseConfig, checkExit, limits, outcomeFor, plan, started } from '../../../../test/kit/play.ts'
import type { RunConfig } from '../../../model/config.ts'
import type { Fact } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import type { IntegrateWork, Outcome } from '../../../model/work.ts'
import { decide } from '../../decide.ts'
import { evolve } from '../../evolve.ts'
import { initialState } from '../../initial.ts'
import { attemptsRunning } from '../../tasks/attempts-in-flight.ts'
import { gapTo } from '../../tasks/under-way.ts'
import { waitsToLand } from './landing-queue.ts'

interface Table {
  state: RunState
  /** Ids of work under way, without waits. */
  underWay(): string[]
  /** Ends work under way; without an outcome it succeeds. */
  end(id: string, outcome?: Outcome): void
  /** Ends the work of an attempt in order, up to this one, which stays under way. */
  until(id: string): void
  integration(id: string): IntegrateWork['step']
  landed(): string[]
}

function given(changes: Partial<RunConfig>, ...tasks: string[]): Table {
  const state = initialState()
  const tell = (fact: Fact): void => {
    evolve(state, { ...fact, seq: state.seq + 1, at: '2026-01-01T00:00:00.000Z' })
  }
  const settle = (): void => {
    for (;;) {
      const { facts, work } = decide(state)
      if (facts.length > 0) {
        facts.forEach(tell)
        continue
      }
      const { surplus, missing } = gapTo(state, work)
      if (surplus.length + missing.length === 0) return
      for (const item of missing) tell({ type: 'work.started', work: item })
      for (const { id } of surplus) tell({ type: 'work.lost', id, why: 'cancelled' })
    }
  }
  const underWay = (): string[] =>
    Object.values(state.works)
      .filter(({ work }) => work.kind !== 'wait')
      .map(({ work }) => work.id)
      .toSorted()
  const end = (id: string, outcome?: Outcome): void => {
    const work = state.works[id]?.work
    if (!work) throw new Error(`${id} is not under way: ${underWay().join(', ')}`)
    const usual = id === 'plan/r0' ? plan(...tasks) : outcomeFor(work, state)
    tell({ type: 'work.finished', id, outcome: outcome ?? usual })
    settle()
  }
  const next = (owner: string): string | undefined => underWay().find((id) => id.startsWith(`${owner}/`))
  const until = (id: string): void => {
    const owner = id.slice(0, id.indexOf('/'))
    for (let at = next(owner); at !== undefined && at !== id; at = next(owner)) end(at)
    expect(underWay()).toContain(id)
  }
  tell(started(baseConfig({ review: false, baseline: 'off', ...changes })))
  settle()
  while (state.active.length === 0) end(underWay()[0] ?? 'nothing')
  return {
    state,
    underWay,
    end,
    until,
    integration(id) {
      const work = state.works[id]?.work
      if (work?.kind !== 'integrate') throw new Error(`${id} is not under way: ${underWay().join(', ')}`)
      return work.step
    },
    landed: () => state.landings.map(({ task }) => task),
  }
}

const commitOf = (merge: string): string => `commit of ${merge}`
const few = limits({ attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 })

test('a task that waits for its check takes no slot: the next task starts', () => {
  const { state, underWay, until } = given({ parallel: 2 }, 'T001', 'T002', 'T003')
  expect(underWay()).toEqual(['T001/a1/prepare', 'T002/a1/prepare'])
  until('T001/a1/check0/1')
  expect(waitsToLand(state, state.tasks['T001'] as never)).toBe(true)
  expect(attemptsRunning(state)).toBe(2)
  expect(underWay()).toEqual(['T001/a1/check0/1', 'T002/a1/prepare', 'T003/a1/prepare'])
})

test.each<[string, Partial<RunConfig>]>([
  ['one slot', { parallel: 1 }],
  ['a verdict to wait for', { parallel: 2, review: true }],
])('with %s it keeps its slot', (_, changes) => {
  const { state, underWay, until } = given(changes, 'T001', 'T002', 'T003')
  until('T001/a1/check0/1')
  expect(attemptsRunning(state)).toBe(state.config.parallel)
  expect(underWay()).not.toContain('T003/a1/prepare')
  expect(state.tasks['T003']?.status).toBe('todo')
})

test('at most twice as many tasks as slots are running', () => {
  const { state, until } = given({ parallel: 2, checksParallel: 8 }, 'T001', 'T002', 'T003', 'T004', 'T005')
  for (const task of ['T001', 'T002', 'T003', 'T004']) until(`${task}/a1/check0/1`)
  expect(state.active).toEqual(['T001', 'T002', 'T003', 'T004'])
  expect(attemptsRunning(state)).toBe(0)
  expect(state.tasks['T005']?.status).toBe('todo')
})

/** T001 is checked; T002 is about to be merged. */
function stacking(changes: Partial<RunConfig> = {}): Table {
  const table = given({ parallel: 2, ...few, ...changes }, 'T001', 'T002')
  table.until('T001/a1/check0/1')
  table.until('T002/a1/merge0')
  return table
}

test('the next candidate is merged onto the one that is being checked, and checked at the same time', () => {
  const { integration, end, underWay } = stacking()
  expect(integration('T002/a1/merge0')).toMatchObject({ kind: 'merge', onto: commitOf('T001/a1/merge0') })
  end('T002/a1/merge0')
  expect(underWay()).toEqual(['T001/a1/check0/1', 'T002/a1/check0/1'])
})

test('it lands after the one below it, with exactly the commit that was checked', () => {
  const { end, underWay, integration, landed } = stacking()
  end('T002/a1/merge0')
  end('T002/a1/check0/1')
  expect(underWay()).toEqual(['T001/a1/check0/1'])
  end('T001/a1/check0/1')
  expect(underWay()).toEqual(['T001/a1/land0'])
  end('T001/a1/land0')
  expect(integration('T002/a1/land0')).toEqual({
    kind: 'land',
    commit: commitOf('T002/a1/merge0'),
    onto: commitOf('T001/a1/merge0'),
  })
  end('T002/a1/land0')
  expect(landed()).toEqual(['T001', 'T002'])
})

test.each<[string, number | null]>([
  ['is under way', null],
  ['was green', 0],
  ['was red', 1],
])('when the candidate below fails while its check %s, it is merged onto the run branch again', (_, exitCode) => {
  const table = stacking({ checkReruns: 0 })
  table.end('T002/a1/merge0')
  if (exitCode !== null) {
    table.end('T002/a1/check0/1', checkExit(exitCode))
    expect(table.underWay()).toEqual(['T001/a1/check0/1'])
  }
  table.end('T001/a1/check0/1', checkExit(1))
  table.end('T001/a1/outside0')
  expect(table.state.tasks['T001']?.status).toBe('failed')
  const step = table.integration('T002/a1/merge0.1')
  expect(step).toMatchObject({ kind: 'merge' })
  expect(step).not.toHaveProperty('onto')
  const onBranch = { commit: 'again', tree: 'without T001', onto: 'c0' }
  table.end('T002/a1/merge0.1', { kind: 'integrate', status: 'merged', ...onBranch })
  table.end('T002/a1/check0.1/1')
  expect(table.integration('T002/a1/land0.1')).toEqual({ kind: 'land', commit: 'again', onto: 'c0' })
})

test('a conflict with the candidate below counts only after that one has landed', () => {
  const { end, state, underWay } = stacking()
  const conflict: Outcome = {
    kind: 'integrate',
    status: 'conflict',
    onto: commitOf('T001/a1/merge0'),
    files: ['a'],
    tree: 't',
    stacked: true,
  }
  end('T002/a1/merge0', conflict)
  expect(underWay()).toEqual(['T001/a1/check0/1'])
  end('T001/a1/check0/1')
  end('T001/a1/land0')
  expect(state.tasks['T002']?.status).toBe('doing')
  expect(underWay()).toContain('T002/a1/merge0.1')
})

test('nothing is merged onto a candidate that waits for a verdict', () => {
  const table = given({ parallel: 2, review: true }, 'T001', 'T002')
  table.until('T001/a1/check0/1')
  table.until('T002/a1/merge0')
  expect(table.integration('T002/a1/merge0')).not.toHaveProperty('onto')
})
