/** Records what `decide` concludes until it proposes no more facts; then only work is left. */
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { decide } from './decide.ts'
import type { Proposal } from './proposal.ts'

export interface Concluding {
  decide?: typeof decide
  /** The most proposals with facts to record. */
  rounds?: number
  /** Stops before these facts are recorded. */
  until?: (facts: readonly Fact[]) => boolean
}

/**
 * `record` folds the fact into the state. Returns the first proposal without facts, or one with facts when `rounds` or
 * `until` stopped it.
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
