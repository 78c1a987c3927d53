/** The result of runs: reading, applying and discarding it. */
import type { ReplayReport } from '../views/history/replay-text.ts'
import type { Stats } from '../views/history/stats.ts'
import type { ApplyStyle } from './nouns.ts'

/** Absent: as the configuration says. */
export interface ApplyRequest {
  style?: ApplyStyle
  /** Run the checks on the result; absent: when the user's branch has moved. */
  check?: boolean
  /** Apply although a check is red. */
  force?: boolean
  /** The checks may use settings that changed while the run was under way. */
  settings?: boolean
  /** Whether the user's git hooks run for the commits that are made. */
  hooks?: 'run' | 'skip'
  /** Called before each check. */
  onCheck?(name: string): void
  /** Ends a hook that is under way; then nothing is changed. */
  signal?: AbortSignal
}

export interface Review {
  report(run: string | null): Promise<string>
  /** `exact`: a patch that a program can apply. */
  diff(run: string | null, options: { stat: boolean; exact: boolean }): Promise<Uint8Array>
  apply(run: string | null, options?: ApplyRequest): Promise<string>
  discard(run: string | null): Promise<string>
  /** Decides a recorded run again. `files`: also checks that git still has the recorded trees and commits. */
  replay(run: string | null, options: { files: boolean }): Promise<ReplayReport>
  /** Sums over these runs, or over all; `since` is an ISO time. */
  stats(runs: readonly string[], since: string | null): Promise<Stats>
}
