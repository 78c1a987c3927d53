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
  /** The configured checks were run on the base of the run. `remembered`: an earlier run saw all of them pass there. */
  'baseline.taken': { tree: string | null; checks: (BaselineCheck & { flaky?: FlakyRuns })[]; remembered?: true }
  /** All attempts started since the last wave closed have ended. `next` is the step that follows. */
  'wave.closed': { wave: number; tasks: string[]; health?: Health; next?: NextStep | null }
  /** The monitor reports a new health of the run, with the evidence. */
  'health.changed': { health: Health; evidence: string | null; wave: number }
  /**
   * All landed changes were checked together. `red`: failing checks that no task broke. `worse`: those of them that
   * passed or failed less before.
   */
  'branch.audited': { landings: number; green: string[]; red?: string[]; worse?: string[] }
  /**
   * An audit saw a check pass and fail on one tree. `elsewhere`: it happened during the search for the culprit, so the
   * newest commit is audited again.
   */
  'check.flaky': FlakyRuns & { check: string; elsewhere?: true }
  /**
   * A done task is no longer done: its change broke something (`revert` undoes `reverts`), or the review of its wave
   * rejected it.
   */
  'task.undone': { task: string; why: 'culprit' | 'review'; failure: Failure; revert: string | null; reverts?: string }
  /** A recovery began because the work does not converge. */
  'recovery.begun': { from: Trouble; n: number; evidence: string; tasks: string[] }
  /** A known-good commit was saved as a checkpoint. */
  'checkpoint.made': { checkpoint: Checkpoint }
  /** A person asks to reset the run branch to an earlier commit. */
  'rollback.requested': { to: string; checkpoint: string | null }
  /** The rollback of a resting run failed: the branch did not move, and the earlier next step is restored. */
  'rollback.withdrawn': { why: string; next: NextStep | null }
  /**
   * The run branch is back at an earlier commit. Undone tasks must be done again; the abandoned commits stay reachable
   * under a ref.
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
