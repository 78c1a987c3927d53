/** Validates the events that are appended to any journal. */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'

/** Throws JOURNAL_CONFLICT when `after` is not the last event, and rejects numbers that do not follow it. */
export function checkAppend(last: number, after: number, events: readonly Event[]): void {
  if (after !== last) {
    throw new LooperError('JOURNAL_CONFLICT', `Events were to follow ${after}, but the last is ${last}`, {
      details: { after, last },
    })
  }
  events.forEach((event, index) => {
    if (event.seq === after + index + 1) return
    throw new LooperError('BUG_INVARIANT', `Event ${event.seq} cannot follow event ${after + index}`)
  })
}
