/**
 * Agents' sessions: which session a turn may continue, and what it has consumed so far. All of it is read from the
 * ledger.
 */
import { purposes, type Role } from '../../model/purposes.ts'
import type { RunState } from '../../model/state.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'

export interface AgentSession {
  id: string
  agent: string
  spent: Usage
}

/** The session with its usage, summed over all turns of its owner. */
export function agentSessionOf(state: RunState, owner: string, id: string, agent: string): AgentSession {
  const turns = Object.values(state.ledger[owner] ?? {}).flatMap(({ outcome }) =>
    outcome.kind === 'turn' && outcome.sessionId === id ? [outcome.usage] : [],
  )
  return { id, agent, spent: turns.reduce(addUsage, { ...noUsage }) }
}

/** The newest session of an agent with this role in an attempt at the task; null when none can be resumed. */
export function newestAgentSession(state: RunState, task: string, attempt: number, role: Role): AgentSession | null {
  for (const { outcome, by, purpose, attempt: n } of Object.values(state.ledger[task] ?? {}).toReversed()) {
    if (n !== attempt || purpose === undefined || purposes[purpose].role !== role) continue
    if (outcome.kind !== 'turn' || outcome.sessionId === null || by === undefined) continue
    return agentSessionOf(state, task, outcome.sessionId, by.agent)
  }
  return null
}
