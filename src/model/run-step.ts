/** One step of a run: an event, and the state that it leads to. */
import type { Event } from './event.ts'
import type { RunState } from './state.ts'

export interface RunStep {
  event: Event
  /** The same object in every step: it changes with the next event, so read it at once. */
  state: RunState
}
