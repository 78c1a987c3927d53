/**
 * evolve: how each event changes the state. Deterministic, total and cheap: it owns and mutates its state, never the
 * event. It draws no conclusions: `decide` does, and its conclusions arrive as events.
 */
import { afterRest, type Event, type EventType } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { passTime } from './work/run-clock.ts'
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

/** Events that change no state are listed here: `'some.event': () => {}`. */
const inert = { on: {} } satisfies Pick<Slice<RunState>, 'on'>

/**
 * The order in which slices handle an event. Tasks come before work, because they read outcomes that the work slice
 * drops. The run comes last, so that all others still see the status from before the event.
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
/** Compile-time check: an event that no slice handles and `inert` does not list is an error that names the event. */
type Complete = [Missing] extends [never] ? readonly { on: object }[] : Missing

const handlers = compose(slices)

/** The handlers of each event type, in the order of the slices. */
function compose(all: Complete): Record<EventType, readonly Apply[]> {
  const composed: Record<string, Apply[]> = {}
  for (const { on } of all) {
    for (const [type, apply] of Object.entries(on)) (composed[type] ??= []).push(apply as Apply)
  }
  return composed
}

export const eventTypes: readonly string[] = Object.keys(handlers)

export function evolve(state: RunState, event: Event): RunState {
  if (!afterRest.has(event.type)) passTime(state, event.at, event.type === 'clock.jumped' ? event.ms : 0)
  for (const apply of handlers[event.type]) apply(state, event)
  state.seq = event.seq
  state.lastAt = event.at
  return state
}
