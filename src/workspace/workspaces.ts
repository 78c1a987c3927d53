/** The trees of a run as folders of one file system. Only a site and the processes that it starts know their paths. */
import type { Trees } from '../model/ports/site.ts'
import type { CheckWork, WorkspaceId } from '../model/work.ts'

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

/** Throws LooperError (WORKSPACE_*, ENVIRONMENT_*) when git or the disk refuses. */
export interface Workspaces extends Trees {
  /** Returns the path and marks the workspace as in use. */
  path(workspace: WorkspaceId): string
  /** Marks the workspace as unused until it is prepared again, so that its worktree may be reused. Only a hint. */
  release(workspace: WorkspaceId): void
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
  /** Resets the workspace's files to `tree` and returns the paths that differed. In place, only compares. */
  restore(workspace: WorkspaceId, tree: string): Promise<string[]>
  /** A readable diff against `base`, at most `maxChars` long. */
  diff(workspace: WorkspaceId, base: string, maxChars: number): Promise<string>
  /** Removes the run's scratch worktrees. */
  clean(): Promise<void>
  /** Ends the processes that serve several calls; called when the run rests. Absent when there are none. */
  close?(): Promise<void>
}
