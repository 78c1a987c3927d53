/** The events of a run and the log of its agents, recorded or live. */
import type { Event } from '../model/event.ts'
import type { LogEvent, LogType } from '../model/log.ts'
import type { RunState } from '../model/state.ts'

export interface Followed {
  event: Event
  /**
   * The run's state with this event. It belongs to all readers and changes with the next event: read it at once, never
   * change it. It includes later events when another reader is ahead. In the process that performs the run it is the
   * engine's own state, which also includes events that are not durable yet.
   */
  state: RunState
}

export interface FollowOptions {
  /** The number of the last event that the reader knows; 0, the default, means all events. */
  after?: number
  /**
   * `rest`, the default: ends when no process holds the run (it ended, paused or crashed) and every event was
   * delivered. `end`: also waits for a run that paused or crashed to be resumed.
   */
  until?: 'rest' | 'end'
  signal?: AbortSignal
}

export interface LogRequest {
  follow: boolean
  /** Null: all of it. */
  last: number | null
  /** Null: entries of all tasks, and entries without a task. */
  task: string | null
  /** Null: all types. */
  types: readonly LogType[] | null
  signal: AbortSignal
}

export interface Following {
  /**
   * The events of a run and the state that each leads to, live or recorded. All readers of a run in this process share
   * one reader of the journal and one fold, or those of the engine when this process performs the run. Ends early on
   * `return()` and on the signal.
   */
  follow(run: string | null, options?: FollowOptions): AsyncIterableIterator<Followed>
  /** What agents said and did. Throws USAGE_NO_TASK for a task that the run does not have. */
  logs(run: string | null, request: LogRequest): AsyncIterable<LogEvent>
}
