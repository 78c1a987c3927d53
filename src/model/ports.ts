/**
 * What the engine needs of the world: each port once, for those who use it and those who provide it. Only app/ knows
 * which ones meet.
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

/** Time, the machine's or a virtual one. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * By how many milliseconds `now` got ahead of the time that passed, since this was last asked; absent: it never does.
   */
  skipped?(): number
  /** Calls back once, at that time or soon after, never before `at` has returned; returns how to call it off. */
  at(time: number, callback: () => void): () => void
}

/** An append-only list of events. */
export interface Journal {
  /** The durable events after `after`, as objects of the caller's own. */
  load(after?: number): Promise<Event[]>
  /**
   * Resolves when the events are durable; when it rejects, none of them is part of the journal. Throws JOURNAL_CONFLICT
   * when `after` is not the last seq. Calls may overlap: each counts the events of those before it, and fails with
   * them.
   */
  append(after: number, events: readonly Event[]): Promise<void>
  close(): Promise<void>
}

/**
 * A cache of the state, so that opening a long run is fast. A missing, stale or damaged one is null, never an error.
 */
export interface Snapshots {
  load(): Promise<RunState | null>
  save(state: RunState): Promise<void>
}

export interface TurnRequest {
  work: TurnWork
  /** 1 for the first start of this id; each start has a folder of its own. */
  starts: number
  cwd: string
  prompt: string
}

export interface CheckRequest {
  work: CheckWork
  starts: number
  cwd: string
}

/** Work that an earlier engine left under way. */
export interface LeftWork {
  work: TurnWork | CheckWork
  starts: number
  cwd: string
}

/** `gracefully` asks with the agent's stop signals first. */
export type CancelHow = 'gracefully' | 'now'

export type DispatchState =
  | { state: 'absent' }
  | { state: 'running'; usage: Usage }
  /** A failure is the machine's: it has no room for what is to be started. */
  | { state: 'done'; outcome: TurnOutcome | CheckOutcome | FailureOutcome }
  /** `usage`: what it had consumed by then, where anybody can tell. */
  | { state: 'lost'; why: string; usage?: Usage }

/**
 * Performs turns and checks, here or elsewhere. Nothing throws; `inspect` is the truth and `watch` only a hint to look.
 */
export interface Dispatch {
  /** Idempotent by work id. */
  ensure(request: TurnRequest | CheckRequest): void
  /** The work ends up `lost`, or `done` if it was quicker. */
  cancel(id: string, how: CancelHow): void
  inspect(ids: readonly string[]): Map<string, DispatchState>
  /** Forgets finished work whose outcome is durable. */
  release(id: string): void
  watch(onHint: () => void): () => void
  /** Resolves when nothing is running any more. */
  quiet(): Promise<void>
  /**
   * Called once, before anything else: adopts turns that still run or ended meanwhile with an answer, ends every other
   * process that carries this run's mark, and resolves when none is left.
   */
  recover(left: readonly LeftWork[]): Promise<void>
}

export interface TreeOverlay {
  /** The work it is made for. */
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

/** Paths of files of a tree that are not as in the tree any more. */
export interface Altered {
  files: string[]
  /** The same in the control: a workspace with the same tree in which no check runs. */
  control: string[]
}

/** The trees agents work in. Throws LooperError (WORKSPACE_*, ENVIRONMENT_*) when git or the disk refuses. */
export interface Workspaces {
  path(workspace: WorkspaceId): string
  /** A clean workspace at the newest run branch, set up. Idempotent. */
  prepare(work: PrepareWork): Promise<PrepareOutcome>
  /** Nobody needs this one any more, until it is prepared again: others may have its place. Only a hint. */
  release(workspace: WorkspaceId): void
  inspect(work: InspectWork): Promise<InspectOutcome>
  /**
   * A verification workspace for this check: exactly what a fresh clone of its commit or tree holds, plus set-up that
   * Looper ran. Only Looper writes there, and no agent knows it. Throws WORKSPACE_SETUP when the set-up of this tree
   * fails, WORKSPACE_CONTENT when git refuses the tree, or when programs would find new modules or settings in the
   * folders above.
   */
  verification(work: CheckWork): Promise<Verification>
  /** The check is over. What it wrote is removed before the workspace is used again. Idempotent. */
  verified(workId: string): void
  /** Compares the files of the tree in the check's verification workspace with the tree. Nothing where it has none. */
  altered(workId: string): Promise<Altered>
  /**
   * Another verification workspace for the same check, new and at a path that cannot be guessed, with a control beside
   * it. The one that it had is removed.
   */
  renewed(work: CheckWork): Promise<Verification>
  integrate(work: IntegrateWork): Promise<IntegrateOutcome>
  /**
   * A tree of `base` with these paths as in `tree`, where they may be missing, and these files written. Changes no
   * workspace.
   */
  overlay(overlay: TreeOverlay): Promise<string>
  /** Idempotent. */
  checkpoint(work: CheckpointWork): Promise<CheckpointOutcome>
  /** Idempotent. Not in place: the branch there is the user's own. */
  rollback(work: RollbackWork): Promise<RollbackOutcome>
  /** Puts the workspace's files back to `tree`; returns the paths that differed. In place: only looks. */
  restore(workspace: WorkspaceId, tree: string): Promise<string[]>
  /** A readable diff against `base`, at most `maxChars` long. */
  diff(workspace: WorkspaceId, base: string, maxChars: number): Promise<string>
  /** The text of what differs between two trees or commits. A side that is binary or larger than `maxBytes` is null. What lies at `also` is
   * among it even when it does not differ. With `binary`, bytes that are no text come as latin1. */
  contents(
    base: string,
    tree: string,
    maxBytes: number,
    also?: readonly string[],
    binary?: boolean,
  ): Promise<ChangedFile[]>
  /** Every path that differs between two trees or commits, also where only the mode does or neither side is text. */
  changedPaths(base: string, tree: string): Promise<string[]>
  /** Removes the run's scratch worktrees. */
  clean(): Promise<void>
  /** The run rests: ends the processes that serve several calls. Absent where there are none. */
  close?(): Promise<void>
}

export interface PromptInput {
  state: RunState
  work: TurnWork
  /** A readable diff of the workspace, for roles that judge it. */
  diff: string | null
  /** The workspace, for prompts that name files in it. */
  cwd: string
}

/** Renders what an agent reads on stdin. Pure but for the templates. */
export type RenderPrompt = (input: PromptInput) => string
