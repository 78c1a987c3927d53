/** The shape of a slice of the state: its initial value, and a handler for each event that changes it. */
import type { Event, EventType } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'

export type Handler<T extends EventType> = (state: RunState, event: Event<T>) => void

export interface Slice<Part extends Partial<RunState>> {
  initial: () => Part
  /** A handler changes the state, never the event: other readers share the event. */
  on: { [T in EventType]?: Handler<T> }
}
