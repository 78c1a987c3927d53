/** One handler for each type of event: how it changes the state. */
import type { Event, EventType } from '../model/event.ts'
import type { RunState } from '../model/state.ts'

export type Handlers = { [T in EventType]: (state: RunState, event: Event<T>) => void }
