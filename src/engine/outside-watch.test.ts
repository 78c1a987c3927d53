import { expect, test } from 'vitest'
import { sampleState, sampleTurn } from '../../test/kit/state.ts'
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { createOutsideWatch } from './outside-watch.ts'

const works = (...list: Work[]): RunState['works'] =>
  Object.fromEntries(list.map((work) => [work.id, { work, at: '', starts: 1 }]))
const turn = sampleTurn()
const wait: Work = { kind: 'wait', id: 'limit/time', until: '', awaits: { kind: 'time-limit' } }
const setup: Work = { kind: 'prepare', id: 'T003/a1/prepare', workspace: 'T003' }

function watch(state: RunState, found = true, setsUp?: boolean) {
  const facts: Fact[] = []
  const asked: boolean[] = []
  const changed = (whole: boolean) => {
    asked.push(whole)
    return found ? { paths: ['a'], more: 0 } : null
  }
  const surroundings = { changed, ...(setsUp === undefined ? {} : { setsUp }) }
  return { facts, asked, ...createOutsideWatch(state, surroundings, (fact) => facts.push(fact)) }
}

test('all that ran is named', () => {
  const { facts, compare } = watch(sampleState({ works: works(turn, wait, setup) }))
  compare([turn.id])
  expect(facts).toEqual([
    {
      type: 'outside.changed',
      paths: ['a'],
      more: 0,
      during: [
        { work: turn.id, task: 'T002', what: 'coder' },
        { work: setup.id, task: null, what: 'setup' },
      ],
    },
  ])
})

test('only the end of an agent or command is a reason to compare', () => {
  const { asked, compare } = watch(sampleState({ works: works(turn, wait) }))
  compare([wait.id])
  compare(['unknown'])
  compare([])
  expect(asked).toEqual([])
})

test('nor is that of a workspace without set-up', () => {
  const { asked, compare } = watch(sampleState({ works: works(turn, setup) }), true, false)
  compare([setup.id])
  expect(asked).toEqual([])
  compare([setup.id, turn.id])
  expect(asked).toEqual([false])
})

test('a run that is asked to stop, or rests, is compared as a whole; nothing found is no event', () => {
  const { facts, asked, compare, compareAll } = watch(sampleState({ works: works(turn), request: 'stop' }), false)
  compare([turn.id])
  compareAll()
  expect({ facts, asked }).toEqual({ facts: [], asked: [true, true] })
})
