/** A line of a journal as it was written, before it is upcast to an event. */

/** A line with valid common fields. Its version is the field `version`; a line without one has version 1. */
export interface RawEvent {
  seq: number
  at: string
  type: string
  [field: string]: unknown
}
