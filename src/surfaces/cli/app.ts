/** What the command line needs of Looper. main.ts hands it in; every function may throw a LooperError. */
import type { Limits } from '../../model/config.ts'
import type { Command, Event } from '../../model/event.ts'
import type { LogEvent, LogType } from '../../model/log.ts'
import type { SourceStatus } from '../../model/source.ts'
import type { RunState } from '../../model/state.ts'
import type { DryRun } from '../../pipelines/dry-run.ts'
import type { LintReport } from '../../pipelines/lint-report.ts'
import type { DefinitionRow } from '../../pipelines/list.ts'
import type { Kind } from '../../pipelines/places.ts'
import type { ReplayReport } from '../../replay/replay-text.ts'
import type { LeftAgent, LeftBehind } from '../../views/liveness.ts'
import type { BacklogTask } from '../../views/backlog.ts'
import type { CardInput } from '../../views/card.ts'
import type { Cleaning } from '../../views/cleaning.ts'
import type { Explanation } from '../../views/explain.ts'
import type { RunRow } from '../../views/runs.ts'
import type { Stats } from '../../views/stats.ts'
import type { Candidate, CommandRow, Source } from './completion/table.ts'

/** Configuration given as flags, by dotted key: `{ 'limits.costUsd': 5 }`. */
export type Flags = Record<string, unknown>

export interface RunRequest {
  /** Empty where the workflow needs none. */
  goal: string
  /** The name under which it is found again, and of which only one is live. */
  session?: string | null
  /** A stage or pipeline to walk, instead of the workflow of the configuration. */
  pipeline?: { name: string; runs: number | null }
  /** What agents read for each task of a backlog, instead of Looper's own words. */
  prompt?: string | null
  /** Start although the session broke off; whatever live run has the session or the backlog is stopped first. */
  force?: boolean
  flags: Flags
  /** Merge the run branch into the user's at the end. */
  apply: boolean
}

export interface ResumeOptions {
  limits: Partial<Limits>
  /** Take set-up, copied files and hooks from the configuration as it is now. */
  settings?: boolean
  apply: boolean
}

/** What a command wants performed; plain JSON, so that another process can be told. */
export type Undertaking =
  | { do: 'run'; request: RunRequest }
  | { do: 'resume'; run: string | null; options: ResumeOptions }
  | { do: 'session'; session: string; options: ResumeOptions }

/** A run that a process of its own performs. */
export interface Detached {
  run: string
  pid: number
  /** Where it prints; null in a terminal. */
  log: string | null
  /** The name of the tmux session; null without one. */
  tmux: string | null
}

/** What this process was started for, and how to tell whoever started it. */
export interface Errand {
  app: App
  cwd: string
  what: Undertaking
  /** It prints where somebody may look, who may also close that. */
  terminal: boolean
  started(run: string): void
  /** Says nothing once the run has started. */
  refused(error: unknown): void
  /** Calls back when whoever waits went away before the run had started. */
  onAbandoned(callback: () => void): void
}

export interface Observer {
  /**
   * An unfinished write at the end of the journal, never durable, has been cut off. Before anything else, at most once.
   */
  onTorn(bytes: number): void
  /** Something beside the run went wrong, and will be tried again. */
  onTrouble(message: string): void
  /** Each event once it is durable; the state may be further on already. */
  onEvent(event: Event, state: RunState): void
  /** The run is under way; from now on it can be stopped. */
  onStart(control: { state: RunState; stop(): void; stopNow(): void }): void
}

/** A run that is ready to go: nothing was written yet but what `start` needs. */
export interface PreparedRun {
  card: CardInput
  warnings: string[]
  /** Live runs that `start` stops first, because that was asked for. */
  stops?: string[]
  /** What a closed terminal means to the run. */
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
  /** A process owns the run right now. */
  live: boolean
  /** Which process that is, as far as it is known; null when there is none. */
  holder: { pid: number; heartbeatAt: string } | null
  /** What a crashed run left behind; null where it did not crash. */
  left?: LeftBehind | null
  dir: string
}

export interface DoctorRow {
  check: string
  ok: boolean
  detail: string
  hint: string | null
}

/** The file of a backlog, and all that is wrong with it. */
export interface ValidatedBacklog {
  file: string
  tasks: number
  problems: BacklogProblem[]
  /** What a run can do without. */
  warnings: BacklogProblem[]
  /** False when there may be more than these. */
  complete: boolean
}

export interface BacklogProblem {
  kind: string
  /** As in `tasks[3].title`; empty for the whole. */
  path: string
  line: number
  column: number
  message: string
}

export interface FormattedBacklog {
  file: string
  text: string
  /** Whether the file is another text than this. */
  changed: boolean
  /** Empty when nothing changed, or none was asked for. */
  diff: string
}

export interface ForkRequest {
  /** The number of an event, the id of a task, or `last`. */
  at: string
  flags: Flags
}

/** A new run, paused, that begins where another one was. */
export interface Forked {
  run: string
  branch: string
  /** What the branch begins with. */
  commit: string
  from: { run: string; seq: number }
  warnings: string[]
}

export interface ImportRequest {
  /** `list` null: the newest. */
  from: { kind: 'path'; path: string } | { kind: 'beads' } | { kind: 'claude'; list: string | null }
  /** Of beads only the issues that bear it. */
  label: string | null
  /** The backlog; null: that of the repository. */
  into: string | null
  dryRun: boolean
}

export interface ImportedRow {
  id: string
  title: string
  status: SourceStatus
}

export interface ImportReport {
  /** What was read, and what it was taken for. */
  source: string
  format: string
  /** The backlog. */
  file: string
  dryRun: boolean
  added: ImportedRow[]
  /** Open in the backlog, and closed where they come from. */
  closed: ImportedRow[]
  /** Ids of those that were there already. */
  unchanged: string[]
  /** What could not be carried over. */
  notes: string[]
}

type WithoutId<T> = T extends { id: string } ? Omit<T, 'id'> : never
export type Order = WithoutId<Command>

export interface Told {
  run: string
  live: boolean
  /** The id of the task that a resting run got. */
  added?: string
  /** Where a rollback goes. */
  target?: string
  /** Why the place that its tasks come from does not know yet. */
  trouble?: string
  /** The process of the run, which was suspended and has been continued to obey. */
  woken?: number
  /** Agents of a crashed run that were ended. */
  ended?: LeftAgent[]
}

export type Settings = Record<string, { value: unknown; source: string }>

export interface ConfigPlace {
  name: 'user' | 'project'
  path: string
  exists: boolean
}

export interface ConfigChange {
  key: string
  /** As typed; null takes the key out. */
  values: readonly string[] | null
  file: 'user' | 'project'
}

export interface ConfigChanged {
  key: string
  path: string
  /** The path as people say it. */
  where: string
  /** Undefined when it was taken out; masked where it is nobody's business. */
  value: unknown
  changed: boolean
  notes: string[]
}

export interface PushRequest {
  /** A version, or how much to raise the last one; null means the next that makes sense. */
  version: string | null
  /** Null means the one that the branch follows. */
  remote: string | null
  push: boolean
  /** Also a release on GitHub. */
  release: boolean
  /** Begin a changelog where there is none. */
  changelog: boolean
}

export interface PushView {
  version: string
  tag: string
  /** The tag of the release before. */
  before: string | null
  branch: string
  remote: string | null
  /** An earlier call was not finished: this one goes on. */
  resumed: boolean
  steps: { step: string; what: string; done: boolean }[]
  /** What the release brings, as markdown. */
  notes: string
  warnings: string[]
}

export interface PushObserver {
  onStep(step: string, done: boolean): void
  onCheck(check: { name: string; ok: boolean; durationMs: number }): void
}

export interface PushResult {
  version: string
  tag: string
  commit: string
  pushed: boolean
  released: boolean
}

export interface PreparedPush {
  view: PushView
  /** Throws WORKSPACE_RELEASE when a step fails; the next call goes on there. */
  run(observer: PushObserver, signal: AbortSignal): Promise<PushResult>
}

export interface DryRunOrder {
  /** Of a pipeline or a stage, or the path of a file. */
  name: string
  /** Null: that of the pipeline. */
  session: string | null
  /** Null: as defined. */
  runs: number | null
  goal: string
}

export interface CleanRequest {
  /** So many of the newest runs stay; null: none for that reason. */
  keep: number | null
  /** Younger ones stay; null: none for that reason. `text` is how it was said. */
  age: { ms: number; text: string } | null
  /** Also those that could go on, that nobody has applied, or that cannot be read. Never one under way. */
  all: boolean
  /** Only what agents printed, of runs that have ended. */
  turns: boolean
}

/** What would be removed; nothing was yet. */
export interface PreparedClean {
  plan: Cleaning
  perform(): Promise<Cleaning>
}

export interface LogRequest {
  follow: boolean
  /** Null: all of it. */
  last: number | null
  /** Null: of all tasks, and of none. */
  task: string | null
  /** Null: all of them. */
  types: readonly LogType[] | null
  signal: AbortSignal
}

export interface App {
  version: string
  /**
   * Throws USAGE_NESTED in a process of a run. What changes anything asks by itself; a command asks before it asks the
   * user.
   */
  refuseInside(): Promise<void>
  prepareRun(request: RunRequest): Promise<PreparedRun>
  /** `run` null means the newest; a number, an id or a part of one names another. */
  prepareResume(run: string | null, options: ResumeOptions): Promise<PreparedRun>
  /** The newest run of that session. */
  prepareSession(session: string, options: ResumeOptions): Promise<PreparedRun>
  /**
   * Has a process of its own perform it, which outlives this one. Resolves when it is under way there; throws what it
   * was refused with.
   */
  detach(what: Undertaking, how: { tmux: boolean; session: string | null }): Promise<Detached>
  /** What the process that listens there wants of this one. */
  errand(socket: string): Promise<Errand>
  /** `live`: null means the one under way, else the newest. */
  readRun(run: string | null, prefer?: 'live'): Promise<ReadRun>
  /** Waits until no process owns the run; null when one still does after that time. */
  rest(run: string, patienceMs: number): Promise<ReadRun | null>
  /** Events from the first on, as they come, for as long as a process owns the run. */
  watch(run: string, signal: AbortSignal): AsyncIterable<Event>
  listRuns(): Promise<RunRow[]>
  /**
   * `run` null: the one under way, else the newest. Applied to a resting run at once. Throws USAGE_* when it refuses.
   */
  tell(run: string | null, order: Order): Promise<Told>
  events(
    run: string | null,
    options: { follow: boolean; last: number | null; signal: AbortSignal },
  ): AsyncIterable<Event>
  /** What agents said and did. Throws USAGE_NO_TASK for a task that the run does not have. */
  logs(run: string | null, request: LogRequest): AsyncIterable<LogEvent>
  /** The other run is only read. Throws USAGE_* for a place that it does not have. */
  fork(run: string | null, request: ForkRequest): Promise<Forked>
  /** Decides a recorded run again. `files`: also looks whether git still has what it left. */
  replay(run: string | null, options: { files: boolean }): Promise<ReplayReport>
  /** Sums over these runs, or over all; `since` is an ISO time. */
  stats(runs: readonly string[], since: string | null): Promise<Stats>
  /** The tasks of the backlog; null when there is none. `file` null means that of the configuration. */
  backlog(file: string | null): Promise<BacklogTask[] | null>
  validateBacklog(file: string | null): Promise<ValidatedBacklog>
  formatBacklog(file: string | null, options: { write: boolean; diff: boolean }): Promise<FormattedBacklog>
  report(run: string | null): Promise<string>
  /** `exact`: a patch that a machine can apply. */
  diff(run: string | null, options: { stat: boolean; exact: boolean }): Promise<Uint8Array>
  apply(run: string | null, options?: { check?: boolean }): Promise<string>
  discard(run: string | null): Promise<string>
  /** For shells: names of that kind; tasks and questions are of `run`, or of the newest. */
  candidates(source: Source, run: string | null): Promise<Candidate[]>
  /** For shells: every command, as it was described when Looper was built; null when it was not. */
  commandTable(): Promise<CommandRow[] | null>
  prepareClean(request: CleanRequest): Promise<PreparedClean>
  doctor(options: { repair: boolean }): Promise<DoctorRow[]>
  /** Why a run is where it is, what it waits for, and what it would do next. */
  explain(run: string): Promise<Explanation>
  /** Writes .looper/config.json for this repository; never over an existing one. */
  init(): Promise<{ path: string; created: boolean; notes: string[] }>
  /**
   * Brings the tasks of another program into the backlog. Throws CONFIG_BACKLOG, with nothing written, when they cannot
   * be understood.
   */
  importTasks(request: ImportRequest): Promise<ImportReport>
  config(flags: Flags): Promise<{ settings: Settings; warnings: string[] }>
  /** Undefined when the key is not set. Throws USAGE_ARGUMENTS when there is no such key. */
  configGet(key: string): Promise<unknown>
  /** Throws CONFIG_* when the result would not be valid; then nothing is written. */
  configSet(change: ConfigChange): Promise<ConfigChanged>
  configPath(): Promise<ConfigPlace[]>
  /** Nothing is written before it is run. Throws USAGE_RELEASE when it could not end well. `today`: as 2026-01-31. */
  preparePush(request: PushRequest, today: string): Promise<PreparedPush>
  /** What was undone, and what was left and why. */
  abortPush(): Promise<string[]>
  /** Stages and pipelines, those of the project before the built-in ones. */
  definitions(): Promise<DefinitionRow[]>
  /** Null: all of them. */
  lint(kind: Kind | null, name: string | null): Promise<LintReport>
  dryRun(order: DryRunOrder): Promise<DryRun>
  demo(
    observer: Observer & { onRepository(path: string, run: string): void },
  ): Promise<Finished & { repository: string }>
}
