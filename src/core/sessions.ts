/** Agents' sessions: which one a turn may go on with, and what it has consumed so far. Read off the ledger, like everything. */
import type { RunState } from '../model/state.ts'
import { addUsage, noUsage, type Usage } from '../model/usage.ts'
import { ownerOf } from './evolve.ts'

export interface Session {
  id: string
  agent: string
  spent: Usage
}

/** The newest session among the turns whose ids begin like this; null when none can be resumed. */
export function newestSession(state: RunState, ...prefixes: readonly string[]): Session | null {
  const [first] = prefixes
  const entries = first === undefined ? [] : Object.entries(state.ledger[ownerOf(first)] ?? {})
  let found: Session | null = null
  for (const [id, { outcome, by }] of entries) {
    const isOwn = prefixes.some((prefix) => id.startsWith(prefix))
    if (outcome.kind !== 'turn' || outcome.sessionId === null || by === undefined || !isOwn) continue
    found = { id: outcome.sessionId, agent: by.agent, spent: noUsage }
  }
  if (found === null) return null
  const { id } = found
  const turns = entries.flatMap(([, { outcome }]) => (outcome.kind === 'turn' && outcome.sessionId === id ? [outcome.usage] : []))
  return { ...found, spent: turns.reduce(addUsage, { ...noUsage }) }
}
