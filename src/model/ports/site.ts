/**
 * The site: it has the trees of a run, and performs turns and checks in them. Requests name trees and workspaces, never
 * paths: only the site knows where files are, so it may be this machine or another one.
 */
import type { ChangedFile } from '../tamper.ts'
import type { Usage } from '../usage.ts'
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
} from '../work.ts'

/** Work that runs programs of others: agents and checks. */
export type SiteWork = TurnWork | CheckWork

export interface StartedWork {
  work: SiteWork
  /** 1 for the first start of this id. */
  starts: number
}

export interface SiteRequest extends StartedWork {
  /** The answer of the turn, when only a step after the agent failed: no agent is started. */
  answer?: TurnOutcome
}

/** `gracefully` sends the agent's stop signals first. */
export type CancelHow = 'gracefully' | 'now'

export type WorkStatus =
  | { state: 'absent' }
  | { state: 'running'; usage: Usage }
  /** A failure outcome is not the fault of the agent or the check: the site could not start or finish the work. */
  | { state: 'done'; outcome: TurnOutcome | CheckOutcome | FailureOutcome }
  /** `usage`: what the work had consumed by then, if known. */
  | { state: 'lost'; why: string; usage?: Usage }

export interface TreeOverlay {
  /** The id of the work. */
  id: string
  base: string
  tree: string
  paths: readonly string[]
  files: readonly { path: string; content: string }[]
}

/** The trees of a run. Throws LooperError (WORKSPACE_*, ENVIRONMENT_*) when git or the disk refuses. */
export interface Trees {
  /** Prepares and sets up a clean workspace at the newest commit of the run branch. Idempotent. */
  prepare(work: PrepareWork): Promise<PrepareOutcome>
  inspect(work: InspectWork): Promise<InspectOutcome>
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
}

/**
 * Performs turns and checks besides. Only the methods of `Trees` throw: a failure of a turn or a check is its outcome.
 * `statesOf` is authoritative; `watch` is only a hint to call it.
 */
export interface Site extends Trees {
  /**
   * Starts the work; idempotent by its id. A turn starts in its workspace with the tree of the request, unless it
   * repairs its answer. What a read-only role changed is restored after its turn. A check with a commit runs where no
   * agent works, and its outcome names the tree that it saw.
   */
  ensure(request: SiteRequest): void
  /** The work ends up `lost`, or `done` if it finished first. May be repeated. */
  cancel(id: string, how: CancelHow): void
  /** The state of each work; may name further works that are over. */
  statesOf(ids: readonly string[]): Map<string, WorkStatus>
  /** Drops finished work whose outcome is recorded. */
  forget(id: string): void
  /** Marks the workspace as unused until it is prepared again, so that another task may get it. Only a hint. */
  releaseWorkspace(workspace: WorkspaceId): void
  watch(onHint: () => void): () => void
  /** Resolves when no agent and no check is running any more. */
  quiet(): Promise<void>
  /**
   * Called once, before anything else. Adopts turns that still run or ended with an answer meanwhile, ends every other
   * process of this run, and resolves when none is left. Files in the workspaces `used` may differ from their trees.
   */
  recover(left: readonly StartedWork[], used: readonly WorkspaceId[]): Promise<void>
}
