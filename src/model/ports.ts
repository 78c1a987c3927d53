/**
 * The ports: interfaces between the engine and the world, defined once for callers and adapters. Only app/ connects
 * them.
 */
import type { Event } from './event.ts'
import type { RunState } from './state.ts'
import type { ChangedFile } from './tamper.ts'
import type { Usage } from './usage.ts'
import type {
  CheckOutcome,
  CheckpointOutcome,
  CheckpointWork,
  CheckWork,
  FailureOutcome,
  InspectOutcome,
  InspectWork,
  IntegrateOutcome,
  IntegrateWork,
  PrepareOutcome,
  PrepareWork,
  RollbackOutcome,
  RollbackWork,
  TurnOutcome,
  TurnWork,
  WorkspaceId,
} from './work.ts'

/** Real or virtual time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** By how many milliseconds `now` ran ahead of the elapsed time since the last call; absent: it never does. */
  skipped?(): number
  /**
   * Calls back once, at that time or soon after, never before `at` has returned. Returns a function that cancels it.
   */
  at(time: number, callback: () => void): () => void
}

/** An append-only list of events. */
export interface Journal {
  /** The durable events after `after`, as fresh objects that the caller owns. */
  load(after?: number): Promise<Event[]>
  /**
   * Resolves when the events are durable. When it rejects, none of them is part of the journal. Throws JOURNAL_CONFLICT
   * when `after` is not the last seq. Calls may overlap: each counts the events of the calls before it, and fails if
   * one of them fails.
   */
  append(after: number, events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

/**
 * A cache of the state, so that a long run opens fast. A missing, stale or damaged snapshot is null, never an error.
 */
export interface Snapshots {
  load(): Promise<RunState | null>
  save(state: RunState): Promise<void>
}

export interface TurnRequest {
  work: TurnWork
  /** 1 for the first start of this id. Each start has its own folder. */
  starts: number
  cwd: string
  prompt: string
}

export interface CheckRequest {
  work: CheckWork
  starts: number
  cwd: string
}

/** Work that an earlier engine left running. */
export interface LeftWork {
  work: TurnWork | CheckWork
  starts: number
  cwd: string
}

/** `gracefully` sends the agent's stop signals first. */
export type CancelHow = 'gracefully' | 'now'

export type DispatchState =
  | { state: 'absent' }
  | { state: 'running'; usage: Usage }
  /** A failure outcome is the machine's fault: it lacks the resources to start the work. */
  | { state: 'done'; outcome: TurnOutcome | CheckOutcome | FailureOutcome }
  /** `usage`: what the work had consumed by then, if known. */
  | { state: 'lost'; why: string; usage?: Usage }

/**
 * Performs turns and checks, locally or elsewhere. Nothing throws. `inspect` is authoritative; `watch` is only a hint
 * to call it.
 */
export interface Dispatch {
  /** Idempotent by work id. */
  ensure(request: TurnRequest | CheckRequest): void
  /** The work ends up `lost`, or `done` if it finished first. */
  cancel(id: string, how: CancelHow): void
  inspect(ids: readonly string[]): Map<string, DispatchState>
  /** Drops finished work whose outcome is durable. */
  release(id: string): void
  watch(onHint: () => void): () => void
  /** Resolves when nothing is running any more. */
  quiet(): Promise<void>
  /**
   * Called once, before anything else. Adopts turns that still run or ended with an answer meanwhile, ends every other
   * process that carries this run's mark, and resolves when none is left.
   */
  recover(left: readonly LeftWork[]): Promise<void>
}

export interface TreeOverlay {
  /** The id of the work. */
  id: string
  base: string
  tree: string
  paths: readonly string[]
  files: readonly { path: string; content: string }[]
}

export interface Verification {
  path: string
  tree: string
}

/** Paths of files that differ from the tree. */
export interface Altered {
  files: string[]
  /** The same for the control: a workspace with the same tree in which no check runs. */
  control: string[]
}

/** The trees agents work in. Throws LooperError (WORKSPACE_*, ENVIRONMENT_*) when git or the disk refuses. */
export interface Workspaces {
  path(workspace: WorkspaceId): string
  /** Prepares and sets up a clean workspace at the newest commit of the run branch. Idempotent. */
  prepare(work: PrepareWork): Promise<PrepareOutcome>
  /** Marks the workspace as unused until it is prepared again, so that its worktree may be reused. Only a hint. */
  release(workspace: WorkspaceId): void
  inspect(work: InspectWork): Promise<InspectOutcome>
  /**
   * Returns a verification workspace for this check: exactly what a fresh clone of its commit or tree contains, plus
   * set-up that Looper ran. Only Looper writes there, and no agent knows its path. Throws WORKSPACE_SETUP when the
   * set-up of this tree fails, WORKSPACE_CONTENT when git refuses the tree, or when programs would find new modules or
   * settings in the folders above.
   */
  verification(work: CheckWork): Promise<Verification>
  /** Called when the check ended. Its output files are removed before the workspace is used again. Idempotent. */
  verified(workId: string): void
  /**
   * Compares the files in the check's verification workspace with its tree. Empty when the check has no such workspace.
   */
  altered(workId: string): Promise<Altered>
  /**
   * Replaces the check's verification workspace by a new one at an unguessable path, with a control beside it. Removes
   * the old one.
   */
  renewed(work: CheckWork): Promise<Verification>
  integrate(work: IntegrateWork): Promise<IntegrateOutcome>
  /**
   * Returns a tree: `base` with these paths taken from `tree`, where they may be missing, and these files written.
   * Changes no workspace.
   */
  overlay(overlay: TreeOverlay): Promise<string>
  /** Idempotent. */
  checkpoint(work: CheckpointWork): Promise<CheckpointOutcome>
  /** Idempotent. Not called in place, where the branch is the user's own. */
  rollback(work: RollbackWork): Promise<RollbackOutcome>
  /** Resets the workspace's files to `tree` and returns the paths that differed. In place, only compares. */
  restore(workspace: WorkspaceId, tree: string): Promise<string[]>
  /** A readable diff against `base`, at most `maxChars` long. */
  diff(workspace: WorkspaceId, base: string, maxChars: number): Promise<string>
  /**
   * The texts that differ between two trees or commits. A side that is binary or larger than `maxBytes` is null. Files
   * at `also` are included even when they do not differ. With `binary`, bytes that are not text are returned as latin1.
   */
  contents(
    base: string,
    tree: string,
    maxBytes: number,
    also?: readonly string[],
    binary?: boolean,
  ): Promise<ChangedFile[]>
  /** Every path that differs between two trees or commits, including mode changes and binary files. */
  changedPaths(base: string, tree: string): Promise<string[]>
  /** The paths of a tree or commit whose text contains one of the words. */
  mentioning(tree: string, words: readonly string[]): Promise<string[]>
  /** Removes the run's scratch worktrees. */
  clean(): Promise<void>
  /** Ends the processes that serve several calls; called when the run rests. Absent when there are none. */
  close?(): Promise<void>
}

export interface PromptInput {
  state: RunState
  work: TurnWork
  /** A readable diff of the workspace, for judging roles. */
  diff: string | null
  /** The path of the workspace, for prompts that name files in it. */
  cwd: string
}

/** Renders the prompt that an agent reads on stdin. Pure except for reading the templates. */
export type RenderPrompt = (input: PromptInput) => string
