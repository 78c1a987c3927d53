/** The result of runs: reading, applying and discarding it. */
import type { ReplayReport } from '../views/replay-text.ts'
import type { Stats } from '../views/stats.ts'

export interface Review {
  report(run: string | null): Promise<string>
  /** `exact`: a patch that a program can apply. */
  diff(run: string | null, options: { stat: boolean; exact: boolean }): Promise<Uint8Array>
  /** `settings`: the checks may use settings that changed while the run was under way. */
  apply(run: string | null, options?: { check?: boolean; settings?: boolean }): Promise<string>
  discard(run: string | null): Promise<string>
  /** Decides a recorded run again. `files`: also checks that git still has the recorded trees and commits. */
  replay(run: string | null, options: { files: boolean }): Promise<ReplayReport>
  /** Sums over these runs, or over all; `since` is an ISO time. */
  stats(runs: readonly string[], since: string | null): Promise<Stats>
}
