/** Events about waves of attempts, and whether they converge. */
import type {
  AntiPattern,
  BaselineCheck,
  Checkpoint,
  FlakyRuns,
  Health,
  NextStep,
  RollbackReason,
  Trouble,
} from '../convergence.ts'
import type { Failure } from '../failure.ts'

export interface WaveEvents {
  /** The configured checks have been run on what the run starts from. */
  'baseline.taken': { tree: string | null; checks: (BaselineCheck & { flaky?: FlakyRuns })[] }
  /** All attempts started since the last wave closed have ended, and what that leads to. */
  'wave.closed': { wave: number; tasks: string[]; health?: Health; next?: NextStep | null }
  /** The monitor sees the run in another state than before, for this reason. */
  'health.changed': { health: Health; evidence: string | null; wave: number }
  /** All that has landed was checked together. `red`: checks that no task broke; `worse`: those of them that were better before. */
  'branch.audited': { landings: number; green: string[]; red?: string[]; worse?: string[] }
  /**
   * An audit saw a check pass and fail on one tree. `elsewhere`: in search of who broke it, so that the newest is
   * looked at again.
   */
  'check.flaky': FlakyRuns & { check: string; elsewhere?: true }
  /**
   * A task that was done is not any more: its change broke something (`revert` takes back `reverts`), or was turned
   * down with its wave.
   */
  'task.undone': { task: string; why: 'culprit' | 'review'; failure: Failure; revert: string | null; reverts?: string }
  /** What is being tried because work does not converge. */
  'recovery.begun': { from: Trouble; n: number; evidence: string; tasks: string[] }
  /** A known-good commit was kept. */
  'checkpoint.made': { checkpoint: Checkpoint }
  /** A person wants the run branch back at an earlier commit. */
  'rollback.requested': { to: string; checkpoint: string | null }
  /** The branch of a run at rest could not be moved: nothing has changed, and what was next before is next again. */
  'rollback.withdrawn': { why: string; next: NextStep | null }
  /**
   * The run branch is back at an earlier commit. What it undid is to be done again; what it left is kept under a ref.
   */
  'rolled.back': {
    from: string
    to: string
    checkpoint: string | null
    why: RollbackReason
    tasks: string[]
    landings: number
    kept: string | null
    antiPattern: AntiPattern
  }
}
