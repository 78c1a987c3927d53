/** The journal of a run: as the engine writes it, and as others read it. */
import type { Event } from '../event.ts'
import type { RunState } from '../state.ts'

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

/** The position after an event: its number, and where the next one begins. Only the store interprets the offset. */
export interface JournalPosition {
  seq: number
  offset: number
}

export interface JournalDamage {
  /** The event that was expected there. */
  seq: number
  offset: number
  why: string
}

export interface JournalRepair {
  /** The last event that is kept. */
  keptSeq: number
  /** The file with the removed part, unchanged. */
  file: string
  /** The first event that is now missing, and the last one there whose number could be read. */
  firstSeq: number
  lastSeq: number | null
  lines: number
  bytes: number
  why: string
}

/** Reads a journal in steps while it grows. */
export interface JournalTail {
  /**
   * The next events that were not read yet, about a megabyte of them; empty when there are none. Do not call
   * concurrently.
   */
  read(): Promise<Event[]>
  /** Resolves at the next change or poll. Call it before `read`, so that no change is missed. */
  changed(): Promise<void>
  close(): void
}

export interface OpenedJournal {
  journal: Journal
  snapshots: Snapshots
  /** Bytes of an unfinished write at the end. They were never durable and are cut off. */
  tornBytes: number
}

/**
 * The journal of a stored run. A journal that does not exist yet is empty. Reading needs no lock and works while
 * another process writes.
 */
export interface StoredJournal {
  /**
   * Opens for appending; the caller holds the run's lock. Calls back with every event, in order, and uses no snapshot.
   * Throws JOURNAL_DAMAGED, JOURNAL_VERSION, ENVIRONMENT_*.
   */
  open(onEvent?: (event: Event) => void): Promise<OpenedJournal>
  /** The events after `after`. Throws JOURNAL_DAMAGED and JOURNAL_VERSION. */
  events(after?: number): Promise<Event[]>
  /** Like `events`, one event at a time, so that a long journal is never in memory as a whole. */
  replay(onEvent: (event: Event) => void, from?: JournalPosition): Promise<void>
  /** The newest state that was saved, and the position to replay from. Null when no valid one exists; never throws. */
  snapshot(): Promise<{ state: RunState; position: JournalPosition } | null>
  /** The first event, read without the rest; null when there is none. Throws JOURNAL_VERSION. */
  first(): Promise<Event | null>
  /** Calls back with every valid event. Damage is returned, not thrown. Throws JOURNAL_VERSION. */
  inspect(onEvent?: (event: Event) => void): Promise<{ position: JournalPosition; damage: JournalDamage | null }>
  /** Null when there is nothing to repair. Deletes nothing. The caller holds the run's lock. */
  repair(): Promise<JournalRepair | null>
  /** A digest of everything before the position: the same later means that it is unchanged. */
  digest(end: JournalPosition): Promise<string>
  /** When the journal was last written; null when the run has none. */
  changedAt(): Promise<Date | null>
  /**
   * Follows the journal from its first event, or from the position of a snapshot. `pollMs`: the longest time between
   * two checks for changes.
   */
  tail(options?: { pollMs?: number; from?: JournalPosition }): Promise<JournalTail>
}
