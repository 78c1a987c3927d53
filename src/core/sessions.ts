/**
 * Agents' sessions: which session a turn may continue, and what it has consumed so far. All of it is read from the
 * ledger.
 */
import type { RunState } from '../model/state.ts'
import { addUsage, noUsage, type Usage } from '../model/usage.ts'
import { isBelow, isStep, type StepName } from '../model/work-id.ts'

export interface Session {
  id: string
  agent: string
  spent: Usage
}

/** The session with its usage, summed over all turns of its owner. */
export function sessionOf(state: RunState, owner: string, id: string, agent: string): Session {
  const turns = Object.values(state.ledger[owner] ?? {}).flatMap(({ outcome }) =>
    outcome.kind === 'turn' && outcome.sessionId === id ? [outcome.usage] : [],
  )
  return { id, agent, spent: turns.reduce(addUsage, { ...noUsage }) }
}

/** The newest session among an attempt's turns of these steps; null when none can be resumed. */
export function newestSession(
  state: RunState,
  owner: string,
  attempt: string,
  ...steps: readonly StepName[]
): Session | null {
  for (const [id, { outcome, by }] of Object.entries(state.ledger[owner] ?? {}).toReversed()) {
    if (!isBelow(id, attempt) || !isStep(id, ...steps)) continue
    if (outcome.kind !== 'turn' || outcome.sessionId === null || by === undefined) continue
    return sessionOf(state, owner, outcome.sessionId, by.agent)
  }
  return null
}
