/** The events of a run, and what its agents said and did: recorded, or as they come. */
import type { Event } from '../model/event.ts'
import type { LogEvent, LogType } from '../model/log.ts'

export interface LogRequest {
  follow: boolean
  /** Null: all of it. */
  last: number | null
  /** Null: of all tasks, and of none. */
  task: string | null
  /** Null: all types. */
  types: readonly LogType[] | null
  signal: AbortSignal
}

export interface Following {
  /** Events from the first on, as they come, for as long as a process holds the run. */
  watch(run: string, signal: AbortSignal): AsyncIterable<Event>
  events(
    run: string | null,
    options: { follow: boolean; last: number | null; signal: AbortSignal },
  ): AsyncIterable<Event>
  /** What agents said and did. Throws USAGE_NO_TASK for a task that the run does not have. */
  logs(run: string | null, request: LogRequest): AsyncIterable<LogEvent>
}
