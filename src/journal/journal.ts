/** What every store of events offers: the engine's ports, by shape. */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'

export interface Journal {
  /** The durable events after `after`, as objects of the caller's own. */
  load(after?: number): Promise<Event[]>
  /**
   * Resolves when the events are durable; when it rejects, none of them is part of the journal.
   * Calls may overlap: each counts the events of those before it, and fails with them.
   */
  append(after: number, events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

export interface Snapshots {
  load(): Promise<RunState | null>
  save(state: RunState): Promise<void>
}

/** Throws JOURNAL_CONFLICT when `after` is not the last event, and refuses numbers that do not follow it. */
export function checkAppend(last: number, after: number, events: readonly Event[]): void {
  if (after !== last) {
    throw new LooperError('JOURNAL_CONFLICT', `Events were to follow ${after}, but the last is ${last}`, { details: { after, last } })
  }
  events.forEach((event, index) => {
    if (event.seq === after + index + 1) return
    throw new LooperError('BUG_INVARIANT', `Event ${event.seq} cannot follow event ${after + index}`)
  })
}
