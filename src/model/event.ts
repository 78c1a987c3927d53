/**
 * Events: everything that ever happened to a run. The journal is a list of them and the only source of truth. `work.*`
 * events record what the world did; the others record what the core concluded or a person asked for.
 */
import type { BacklogEvents } from './events/backlog.ts'
import type { PlanEvents } from './events/plan.ts'
import type { RecordEvents } from './events/records.ts'
import type { RunEvents } from './events/run.ts'
import type { TaskEvents } from './events/tasks.ts'
import type { WaveEvents } from './events/waves.ts'
import type { WorkEvents } from './events/work.ts'

export type { CheckRecord } from './check-record.ts'
export type { Command, TaskRequest } from './command.ts'
export type { Failure, Rung } from './failure.ts'
export type { EndedPass } from './pass.ts'
export type { Conclusion, PauseKind, PauseReason, StageName } from './pause.ts'
export type { Decision, Question } from './question.ts'

/** Increased with each change of a recorded event's shape, together with a step in `journal/upcast.ts`. */
export const eventVersion: number = 5

interface Payloads extends RunEvents, PlanEvents, TaskEvents, BacklogEvents, WaveEvents, WorkEvents, RecordEvents {}

export type EventType = keyof Payloads
/** An event before the journal assigned its sequence number and time. */
export type Fact<T extends EventType = EventType> = { [K in T]: { type: K } & Payloads[K] }[T]
export type Event<T extends EventType = EventType> = Fact<T> & { seq: number; at: string }

/** Events that follow a time without an engine: that time is not running time. */
export const afterRest: ReadonlySet<EventType> = new Set<EventType>([
  'run.resumed',
  'run.forked',
  'run.applied',
  'run.discarded',
])
