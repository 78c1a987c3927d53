/** The check that a `check.finished` reports, without the place of the event in the journal. */
import type { CheckRecord, Event } from '../../model/event.ts'

export function recordOf(event: Event<'check.finished'>): CheckRecord {
  const { type: _type, seq: _seq, at: _at, ...record } = event
  return record
}
