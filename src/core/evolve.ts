/**
 * evolve: how each event changes the state. Deterministic, total and cheap: it owns its state and mutates it, never the
 * event. It judges nothing: `decide` concludes, and its conclusions come in as events of their own.
 */
import { afterRest, type Event, type EventType } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { passTime } from './run-clock.ts'
import { backlogSlice } from './state/backlog.ts'
import { budgetSlice } from './state/budget.ts'
import { gateSlice } from './state/gate.ts'
import { loopSlice } from './state/loop.ts'
import { planSlice } from './state/plan.ts'
import { questionsSlice } from './state/questions.ts'
import { recordsSlice } from './state/records.ts'
import { runSlice } from './state/run.ts'
import { tasksSlice } from './state/tasks.ts'
import { wavesSlice } from './state/waves.ts'
import { workSlice } from './state/work.ts'

/**
 * In the order in which they see an event: tasks before the work that they are based on is dropped, and the run last,
 * so that all others still see the status that the event found.
 */
const slices = [
  planSlice,
  backlogSlice,
  loopSlice,
  wavesSlice,
  budgetSlice,
  questionsSlice,
  recordsSlice,
  tasksSlice,
  workSlice,
  gateSlice,
  runSlice,
] as const

/** Events that change no slice. An event that is neither here nor handled by a slice does not compile. */
const changeNothing = [] as const satisfies readonly EventType[]

type KeysOf<Each> = Each extends { on: infer On } ? keyof On : never
type Handled = KeysOf<(typeof slices)[number]> | (typeof changeNothing)[number]

/** Empty, or it does not compile: the error names the event that is missing. */
const unhandled: Record<Exclude<EventType, Handled>, never> = {}

type Apply = (state: RunState, event: Event) => void

/** For each event the handlers of all slices, in their order. */
const handlers: Record<string, readonly Apply[]> = { ...unhandled }
for (const type of changeNothing) handlers[type] = []
for (const { on } of slices) {
  for (const [type, apply] of Object.entries(on)) handlers[type] = [...(handlers[type] ?? []), apply as Apply]
}

/** Every type of event there is. */
export const eventTypes: readonly string[] = Object.keys(handlers)

export function evolve(state: RunState, event: Event): RunState {
  if (!afterRest.has(event.type)) passTime(state, event.at, event.type === 'clock.jumped' ? event.ms : 0)
  for (const apply of handlers[event.type] ?? []) apply(state, event)
  state.seq = event.seq
  state.lastAt = event.at
  return state
}
