import { expect, test } from 'vitest'
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { concludeUntilQuiet } from './conclude-until-quiet.ts'
import type { Proposal } from './proposal.ts'
import { initialState } from './initial.ts'

const work: Proposal['work'] = [{ kind: 'finish', id: 'report/finish0' }]
const fact: Fact = { type: 'stage.entered', stage: 'report', conclusion: null }

/** Concludes one fact per call until this many waves have passed. */
const decideUntil =
  (waves: number) =>
  ({ wave }: RunState): Proposal => ({ facts: wave < waves ? [fact] : [], work: wave < waves ? [] : work })

function conclude(options: Parameters<typeof concludeUntilQuiet>[2]) {
  const state = initialState()
  const recorded: Fact[] = []
  const proposal = concludeUntilQuiet(
    state,
    (each) => {
      recorded.push(each)
      state.wave++
    },
    options,
  )
  return { recorded: recorded.length, proposal }
}

test('records conclusions until there are no more', () => {
  expect(conclude({ decide: decideUntil(3) })).toEqual({ recorded: 3, proposal: { facts: [], work } })
})

test('ends after the given number of rounds, or when asked to', () => {
  const open = { facts: [fact], work: [] }
  expect(conclude({ decide: decideUntil(9), rounds: 2 })).toEqual({ recorded: 2, proposal: open })
  expect(conclude({ decide: decideUntil(9), until: () => true })).toEqual({ recorded: 0, proposal: open })
})
