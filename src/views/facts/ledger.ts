/** Finds answers of agents in the ledger. */
import { purposes, type Role } from '../../model/purposes.ts'
import type { RunState } from '../../model/state.ts'

/** The newest valid answer of an agent with this role for the owner, or undefined. */
export function newestAnswer(state: RunState, owner: string, role: Role): unknown {
  let answer: unknown
  for (const { outcome, purpose } of Object.values(state.ledger[owner] ?? {})) {
    const isByRole = purpose !== undefined && purposes[purpose].role === role
    if (isByRole && outcome.kind === 'turn' && outcome.status === 'ok') answer = outcome.result
  }
  return answer
}
