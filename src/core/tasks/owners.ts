/** Groups outcomes by owner: those of one owner are kept and dropped together. */
import type { RunState } from '../../model/state.ts'

/** A new attempt or round uses new ids, so the start counts of the old ids are dropped with their outcomes. */
export function drop(state: RunState, owner: string): void {
  for (const id of Object.keys(state.ledger[owner] ?? {})) delete state.starts[id]
  delete state.ledger[owner]
}
