/** Running work, and the outcomes that decisions still need. */
import type { Purpose } from '../purposes.ts'
import type { Outcome, TurnOutcome, Work } from '../work.ts'

export interface LedgerEntry {
  outcome: Outcome
  at: string
  /** The agent and model of the turn, if it was one. */
  by?: { agent: string; model: string | null }
  /** The question that all tries share, for work that is retried; absent: its id. */
  question?: string
  /** The purpose of the turn, and the attempt that it belongs to. */
  purpose?: Purpose
  attempt?: number
}

export interface WorkSlice {
  /** Work started and not finished, by id. */
  works: Record<string, { work: Work; at: string; starts: number }>
  /** Outcomes that decisions still need, by owner (`plan`, `gate`, a task) and work id. */
  ledger: Record<string, Record<string, LedgerEntry>>
  /** How often work was started before; kept as long as its owner's ledger. */
  starts: Record<string, number>
  /** Answers of turns that must be post-processed again, by work id. */
  unwrapped?: Record<string, TurnOutcome>
  /** A recorded event that is no longer trusted although the run has built on it: the run cannot continue. */
  distrusted?: { id: string; seq: number; why: string }
}
