/**
 * The ports: interfaces between the engine and the world, defined once for callers and adapters. Only app/ connects
 * them.
 */
import type { Event } from './event.ts'
import type { RunState } from './state.ts'
import type { TamperGuard } from './tamper.ts'
import type { SyncOutcome, SyncWork } from './work.ts'

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

/** An append-only list of events. */
export interface Journal {
  /** The durable events after `after`, as fresh objects that the caller owns. */
  load(after?: number): Promise<Event[]>
  /**
   * Resolves when the events are durable. When it rejects, none of them is part of the journal. Throws JOURNAL_CONFLICT
   * when `after` is not the last seq. Calls may overlap: each counts the events of the calls before it, and fails if
   * one of them fails.
   */
  append(after: number, events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

/**
 * A cache of the state, so that a long run opens fast. A missing, stale or damaged snapshot is null, never an error.
 */
export interface Snapshots {
  load(): Promise<RunState | null>
  save(state: RunState): Promise<void>
}
