import { expect, test } from 'vitest'
import type { RunState } from '../model/state.ts'
import type { Outcome, PrepareWork } from '../model/work.ts'
import { initialState } from './initial.ts'
import { orPause, perform } from './step.ts'

const work: PrepareWork = { kind: 'prepare', id: 'plan/prepare', workspace: 'main' }

function stateWith(outcome?: Outcome): RunState {
  const state = initialState()
  if (outcome) state.ledger['plan'] = { [work.id]: { outcome, at: '2026-01-01T00:00:00.000Z' } }
  return state
}

test('work without an outcome is requested', () => {
  expect(perform(stateWith(), work)).toEqual({ status: 'not-yet', proposal: { facts: [], work: [work] } })
})

test('the outcome has the type of the kind of the work', () => {
  const step = perform(stateWith({ kind: 'prepare', base: 'c0', tree: 't0' }), work)
  const tree: string | null = step.status === 'done' ? step.outcome.tree : null
  expect(tree).toBe('t0')
})

test('a failure is returned to the caller, or pauses the run', () => {
  const step = perform(stateWith({ kind: 'failure', code: 'WORKSPACE_GIT', message: 'no git', hint: 'Find it' }), work)
  expect(step).toMatchObject({ status: 'failed', failure: { code: 'WORKSPACE_GIT' } })
  expect(orPause(step)).toMatchObject({
    status: 'not-yet',
    proposal: { work: [], pause: { kind: 'setup', detail: 'no git', hint: 'Find it, then: looper resume' } },
  })
})

test('an outcome of another kind is no outcome of the work', () => {
  expect(perform(stateWith({ kind: 'wait' }), work)).toMatchObject({
    status: 'failed',
    failure: { code: 'BUG_INVARIANT' },
  })
})
