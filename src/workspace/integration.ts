/** What merging, landing and reverting need of a run's repository, and what they answer. */
import type { IntegrateOutcome } from '../model/work.ts'
import type { Landings } from './commit.ts'
import type { GitCall } from './git.ts'
import type { RunRefs } from './run-refs.ts'

export interface Integration {
  root: string
  run: string
  refs: RunRefs
  landings: Landings
  /** Trees of commits, as far as they are known. */
  trees: Map<string, string>
  /** Looper's own git. */
  own: GitCall
  treeOf(commit: string, mark: string): Promise<string>
  /** The tree of the work tree's files. */
  snapshot(base: string): Promise<string>
  /** Puts the workspace's files at a merged tree, on `onto`, and keeps the candidate. */
  place(merged: { tree: string; onto: string; candidate?: { ref: string; commit: string } }): Promise<void>
}

export type Result = IntegrateOutcome extends infer O
  ? O extends { kind: 'integrate' }
    ? Omit<O, 'kind'>
    : never
  : never
