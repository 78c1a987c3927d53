/** Bringing the branch of a run to a remote, and opening a pull request from it. */
export interface BranchRequest {
  /** Null: the remote that the current branch follows, else origin. */
  remote: string | null
  /** The name of the branch there; null: the one it has here. */
  name: string | null
  /** Also when the run is not completed. */
  force: boolean
  /** Replace the branch on the remote when it is as last seen. */
  forceWithLease: boolean
}

export interface PushedBranch {
  run: string
  remote: string
  branch: string
  commit: string
  /** The remote had this commit already. */
  already: boolean
  /** What the remote said, such as an address to open a pull request. */
  said: string[]
}

export interface PullRequestRequest extends BranchRequest {
  draft: boolean
  /** The branch to merge into; null: the one that the run started from. */
  base: string | null
}

export interface OpenedPullRequest extends PushedBranch {
  url: string
  title: string
  /** It was open before: the new commits are in it. */
  open: boolean
}

export interface Publish {
  /** Pushes as the user, never by force unless asked. Throws USAGE_* when refused, WORKSPACE_PUSH when git refuses. */
  pushBranch(run: string | null, request: BranchRequest): Promise<PushedBranch>
  /** Also pushes the branch. Throws ENVIRONMENT_NO_GH before anything is pushed when gh is not installed. */
  openPullRequest(run: string | null, request: PullRequestRequest): Promise<OpenedPullRequest>
}
