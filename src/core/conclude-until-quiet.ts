/** Records what decide concludes until nothing more follows: what is left is work for the world. */
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { decide } from './decide.ts'
import type { Proposal } from './proposal.ts'

export interface Concluding {
  decide?: typeof decide
  /** How many proposals with facts are recorded at most. */
  rounds?: number
  /** Ends it before these facts are recorded. */
  until?: (facts: readonly Fact[]) => boolean
}

/**
 * `record` folds the fact into the state. Returns the first proposal without facts; one with facts when it ended
 * before.
 */
export function concludeUntilQuiet(
  state: RunState,
  record: (fact: Fact) => void,
  { decide: decideNow = decide, rounds = Infinity, until = () => false }: Concluding = {},
): Proposal {
  for (let round = 0; ; round++) {
    const proposal = decideNow(state)
    const { facts } = proposal
    if (facts.length === 0 || round >= rounds || until(facts)) return proposal
    facts.forEach((fact) => record(fact))
  }
}
