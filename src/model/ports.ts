/**
 * The ports: interfaces between the engine and the world, defined once for callers and adapters. Only app/ connects
 * them.
 */
import type { RunState } from './state.ts'
import type { TamperGuard } from './tamper.ts'
import type { SyncOutcome, SyncWork } from './work.ts'

export type { CommandRequest, Inbox, StoredInbox } from './ports/inbox.ts'
export type {
  Journal,
  JournalDamage,
  JournalPosition,
  JournalRepair,
  JournalTail,
  OpenedJournal,
  Snapshots,
  StoredJournal,
} from './ports/journal.ts'
export type {
  Artifacts,
  HeldRunLock,
  OpenArtifact,
  RunHolder,
  RunLock,
  RunStore,
  StoredRun,
} from './ports/run-store.ts'

/** Real or virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** By how many milliseconds `now` ran ahead of the elapsed time since the last call; absent: it never does. */
  skipped?(): number
  /**
   * Calls back once, at that time or soon after, never before `at` has returned. Returns a function that cancels it.
   */
  at(time: number, callback: () => void): () => void
}

/** Polls the task source of the run. May throw. */
export type SyncSource = (work: SyncWork, state: RunState) => Promise<SyncOutcome>

/** Loads the guard that finds weakened tests and checks; called on first use. */
export type LoadGuard = () => Promise<TamperGuard>

/** Writes the report and the other files of a finished run. */
export type FinishRun = (state: RunState) => Promise<void>
