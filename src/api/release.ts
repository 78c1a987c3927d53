/** Releasing the repository: version, changelog, tag, push. */
export interface ReleaseRequest {
  /** A version, or the level by which to raise the last one; null means the default next version. */
  version: string | null
  /** Null means the remote that the branch follows. */
  remote: string | null
  push: boolean
  /** Also create a release on GitHub. */
  release: boolean
  /** Create a changelog when there is none. */
  changelog: boolean
}

export interface ReleaseView {
  version: string
  tag: string
  /** The tag of the release before. */
  before: string | null
  branch: string
  remote: string | null
  /** An earlier call did not finish: this one continues it. */
  resumed: boolean
  steps: { step: string; what: string; done: boolean }[]
  /** The release notes, as markdown. */
  notes: string
  warnings: string[]
}

export interface ReleaseObserver {
  onStep(step: string, done: boolean): void
  onCheck(check: { name: string; ok: boolean; durationMs: number }): void
}

export interface ReleaseResult {
  version: string
  tag: string
  commit: string
  pushed: boolean
  released: boolean
}

export interface PreparedRelease {
  view: ReleaseView
  /** Throws WORKSPACE_RELEASE when a step fails; the next call continues there. */
  run(observer: ReleaseObserver, signal: AbortSignal): Promise<ReleaseResult>
}

export interface Release {
  /** Writes nothing before it is run. Throws USAGE_RELEASE when it cannot succeed. `today`: as 2026-01-31. */
  prepareRelease(request: ReleaseRequest, today: string): Promise<PreparedRelease>
  /** What was undone, and what was left and why. */
  abortRelease(): Promise<string[]>
}
