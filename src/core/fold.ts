/** A recorded run, event by event. */
import type { Event } from '../model/event.ts'
import type { RunStep } from '../model/run-step.ts'
import { evolve } from './evolve.ts'
import { initialState } from './initial.ts'

export function* fold(events: Iterable<Event>): Generator<RunStep> {
  const state = initialState()
  for (const event of events) yield { event, state: evolve(state, event) }
}
