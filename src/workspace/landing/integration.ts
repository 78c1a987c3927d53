/** Types shared by merging, landing and reverting: their access to the run's repository and their result. */
import type { IntegrateOutcome } from '../../model/work.ts'
import type { Landings } from './commit.ts'
import type { CommitWording } from './commit-message.ts'
import type { GitCall } from '../git/git.ts'
import type { RunRefs } from './run-refs.ts'

export interface Integration {
  root: string
  run: string
  wording: CommitWording
  refs: RunRefs
  landings: Landings
  /** A cache of the trees of commits. */
  trees: Map<string, string>
  /** Calls Looper's own git. */
  own: GitCall
  treeOf(commit: string, mark: string): Promise<string>
  /** Returns the tree of the files in the work tree. */
  snapshot(base: string): Promise<string>
  /** Checks out a merged tree on `onto` in the workspace and saves the candidate. */
  place(merged: { tree: string; onto: string; candidate?: { ref: string; commit: string } }): Promise<void>
}

export type Result = IntegrateOutcome extends infer O
  ? O extends { kind: 'integrate' }
    ? Omit<O, 'kind'>
    : never
  : never
