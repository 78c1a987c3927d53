/** Work under way, and the outcomes that decisions still need. */
import type { Outcome, TurnOutcome, Work } from '../work.ts'

export interface LedgerEntry {
  outcome: Outcome
  at: string
  /** Who took the turn, if it was one. */
  by?: { agent: string; model: string | null }
}

export interface WorkSlice {
  /** Work started and not finished, by id. */
  works: Record<string, { work: Work; at: string; starts: number }>
  /** Outcomes that decisions still look at, by owner (`plan`, `gate`, a task) and work id. */
  ledger: Record<string, Record<string, LedgerEntry>>
  /** How often work was started before, kept while its owner's ledger is. */
  starts: Record<string, number>
  /** Answers of turns that are to be wrapped up once more, by work id. */
  unwrapped?: Record<string, TurnOutcome>
  /** A recorded event that is not believed although the run has built on it: it cannot go on. */
  distrusted?: { id: string; seq: number; why: string }
}
