/** The shape of a slice of the state: its initial value, and how the events that concern it change the state. */
import type { Event, EventType } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'

export type Handler<T extends EventType> = (state: RunState, event: Event<T>) => void

export interface Slice<Part extends Partial<RunState>> {
  initial: () => Part
  /** A handler changes the state and never the event: the event is a record that others read as well. */
  on: { [T in EventType]?: Handler<T> }
}
