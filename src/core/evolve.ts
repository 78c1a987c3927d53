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
import type { Slice } from './state/slice.ts'
import { tasksSlice } from './state/tasks.ts'
import { wavesSlice } from './state/waves.ts'
import { workSlice } from './state/work.ts'

/** Events that change nothing: `'some.event': () => {}`. */
const inert = { on: {} } satisfies Pick<Slice<RunState>, 'on'>

/**
 * In the order in which they see an event: tasks before the work that they are based on is dropped, and the run last,
 * so that all others still see the status that the event found.
 */
const slices = [
  inert,
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

type Apply = (state: RunState, event: Event) => void
type KeysOf<Each> = Each extends { on: infer On } ? keyof On : never
type Missing = Exclude<EventType, KeysOf<(typeof slices)[number]>>
/** An event that no slice handles and `inert` does not list does not compile: the error names it. */
type Complete = [Missing] extends [never] ? readonly { on: object }[] : Missing

const handlers = compose(slices)

/** For each event the handlers of all slices, in their order. */
function compose(all: Complete): Record<EventType, readonly Apply[]> {
  const composed: Record<string, Apply[]> = {}
  for (const { on } of all) {
    for (const [type, apply] of Object.entries(on)) (composed[type] ??= []).push(apply as Apply)
  }
  return composed
}

/** Every type of event there is. */
export const eventTypes: readonly string[] = Object.keys(handlers)

export function evolve(state: RunState, event: Event): RunState {
  if (!afterRest.has(event.type)) passTime(state, event.at, event.type === 'clock.jumped' ? event.ms : 0)
  for (const apply of handlers[event.type]) apply(state, event)
  state.seq = event.seq
  state.lastAt = event.at
  return state
}
