/** Looks up the recorded outcome of work by its id. */
import type { RunState } from '../../model/state.ts'
import type { Outcome } from '../../model/work.ts'
import { ownerOf } from '../../model/work-id.ts'

export const outcomeOf = (state: RunState, id: string, owner = ownerOf(id)): Outcome | undefined =>
  state.ledger[owner]?.[id]?.outcome
