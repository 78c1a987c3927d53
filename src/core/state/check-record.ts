/** Extracts the check record from a `check.finished` event, without the event's number and time. */
import type { CheckRecord, Event } from '../../model/event.ts'

export function recordOf(event: Event<'check.finished'>): CheckRecord {
  const { type: _type, seq: _seq, at: _at, ...record } = event
  return record
}
