/** Starting, resuming, reading and listing runs. */
import type { Limits } from '../model/config.ts'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { CardInput } from '../views/card.ts'
import type { Explanation } from '../views/explain.ts'
import type { LeftBehind } from '../views/liveness.ts'
import type { RunRow } from '../views/runs.ts'
import type { Flags } from './settings.ts'

export interface NewRun {
  /** Empty where the workflow needs none. */
  goal: string
  /** The name by which the run is found again. Only one run of a session is live at a time. */
  session?: string | null
  /** A stage or pipeline to run, instead of the workflow of the configuration. */
  pipeline?: { name: string; runs: number | null }
  /** The prompt that agents read for each task of a backlog, instead of Looper's own. */
  prompt?: string | null
  /** Start although the session broke off. A live run that has the session or the backlog is stopped first. */
  force?: boolean
  flags: Flags
  /** Merge the run branch into the user's branch at the end. */
  apply: boolean
}

export interface ResumeOptions {
  limits: Partial<Limits>
  /**
   * Take set-up, copied files and hooks from the configuration as it is now, and accept settings that changed while the
   * run was under way. Without it such a change is refused with CONFIG_CHANGED.
   */
  settings?: boolean
  apply: boolean
}

/** A request to start or resume a run. Plain JSON, so that it can be sent to another process. */
export type RunRequest =
  | { do: 'run'; request: NewRun }
  | { do: 'resume'; run: string | null; options: ResumeOptions }
  | { do: 'session'; session: string; options: ResumeOptions }

/** A run in a separate process. */
export interface Detached {
  run: string
  pid: number
  /** The file it prints to; null in a terminal. */
  log: string | null
  /** The name of the tmux session; null without one. */
  tmux: string | null
}

export interface Observer {
  /** An unfinished write at the end of the journal, never durable, was cut off. Called first, at most once. */
  onTorn(bytes: number): void
  /** Something outside the run itself failed and will be retried. */
  onTrouble(message: string): void
  /** Each event once it is durable. The state may already include later events. */
  onEvent(event: Event, state: RunState): void
  /** The run has started; from now on it can be stopped. */
  onStart(control: { state: RunState; stop(): void; stopNow(): void }): void
}

/** A run that is ready to start. Nothing is written yet except what `start` needs. */
export interface PreparedRun {
  card: CardInput
  warnings: string[]
  /** Live runs that `start` stops first, because the request asked for it. */
  stops?: string[]
  /** What the run does when its terminal is closed. */
  hangup?: 'detach' | 'stop'
  /** Resolves when the run ends or pauses. */
  start(observer: Observer): Promise<Finished>
}

export interface Finished {
  state: RunState
  dir: string
  /** What `--apply` did or why it did not; null without it. */
  applied: { ok: boolean; message: string } | null
}

export interface ReadRun {
  state: RunState
  /** A process holds the run now. */
  live: boolean
  /** That process, as far as it is known; null when there is none. */
  holder: { pid: number; heartbeatAt: string } | null
  /** What a crashed run left behind; null when it did not crash. */
  left?: LeftBehind | null
  dir: string
}

export interface ForkRequest {
  /** The number of an event, the id of a task, or `last`. */
  at: string
  flags: Flags
  /** Accept settings that changed while the other run was under way. */
  settings?: boolean
}

/** A new, paused run that begins at an event of another run. */
export interface Forked {
  run: string
  branch: string
  /** The commit that the branch begins with. */
  commit: string
  from: { run: string; seq: number }
  warnings: string[]
}

/** A run is named by its number, its id or a part of it, or its session; null means the newest. */
export interface Runs {
  prepareRun(request: NewRun): Promise<PreparedRun>
  prepareResume(run: string | null, options: ResumeOptions): Promise<PreparedRun>
  /** Resumes the newest run of the session. */
  prepareSession(session: string, options: ResumeOptions): Promise<PreparedRun>
  /**
   * Performs the request in a separate process, which outlives this one. Resolves when the run has started there.
   * Throws the error with which it was refused.
   */
  detach(request: RunRequest, how: { tmux: boolean; session: string | null }): Promise<Detached>
  /** `live`: null means the live run, else the newest. */
  readRun(run: string | null, prefer?: 'live'): Promise<ReadRun>
  listRuns(): Promise<RunRow[]>
  /** Why a run is in its state, what it waits for, and what it would do next. */
  explain(run: string): Promise<Explanation>
  /** Only reads the other run. Throws USAGE_* for an event or task that it does not have. */
  fork(run: string | null, request: ForkRequest): Promise<Forked>
}
