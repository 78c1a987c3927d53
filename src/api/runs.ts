/** Starting, resuming, reading and listing runs. */
import type { Limits } from '../model/config.ts'
import type { RunState } from '../model/state.ts'
import type { CardInput } from '../views/status/card.ts'
import type { Zone } from '../views/text/format.ts'
import type { Explanation } from '../views/status/explain.ts'
import type { LeftBehind } from '../views/status/liveness.ts'
import type { RunRow } from '../views/status/runs.ts'
import type { Followed } from './follow.ts'
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
  /** The model that the run's agent is asked for, instead of the configured ones. */
  model?: string
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
  /** Called at most once, before the first event is recorded. */
  onStart(run: StartedRun): void
}

/** A run that this process performs. From now on it can be stopped. */
export interface StartedRun {
  state: RunState
  /**
   * The events that this process records, from the first one on, like `follow` of the App. Ends with the last one
   * before `start` settles.
   */
  follow(): AsyncIterableIterator<Followed>
  /** `hangup`: no person asked for it, the terminal was closed. */
  stop(why?: 'hangup'): void
  stopNow(): void
}

/** What the user has not agreed to yet in this repository. */
export interface Consent {
  /** `first`: the user never agreed to anything here. `wider`: agents may do more than the user agreed to. */
  why: 'first' | 'wider'
  /** The rights that are new, in words; empty the first time. */
  added: string[]
  /** Records that the user agrees, for all later runs in this repository. */
  agree(): Promise<void>
}

/** A run that is ready to start. Nothing is written yet except what `start` needs. */
export interface PreparedRun {
  card: CardInput
  warnings: string[]
  /** Which of the person's own choices apply. */
  notes?: string[]
  /** A run that goes on with the settings that it had, so that the whole card says nothing new. */
  isContinued?: boolean
  /** Live runs that `start` stops first, because the request asked for it. */
  stops?: string[]
  /** What the run does when its terminal is closed. */
  hangup?: 'detach' | 'stop'
  /** Whether a terminal shows the last tool call of each agent. */
  activity?: boolean
  /** Null or absent when the user has agreed already. A surface that cannot ask starts the run without. */
  consent?: Consent | null
  /** Waits until it is known whether the agents are logged in. Throws AGENT_LOGIN when one is not; so does `start`. */
  confirmLogins?(): Promise<void>
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
  /** The model that the new run's agent is asked for, instead of the configured ones. */
  model?: string
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
  explain(run: string, zone?: Zone): Promise<Explanation>
  /** Only reads the other run. Throws USAGE_* for an event or task that it does not have. */
  fork(run: string | null, request: ForkRequest): Promise<Forked>
}
