/** Whether the work converges: the baseline of the checks, flaky checks, and the health that the monitor reports. */
import type { CannotRun } from './cannot-run.ts'
import type { Edit } from './work.ts'

export interface BaselineCheck {
  check: string
  passed: boolean
  /** Names of the failing tests; null when the output did not name all of them. */
  failing: string[] | null
  /** Number of passing tests. */
  passing?: number
  fingerprint: string | null
  /** Why it cannot run; absent when it passed, or ran and failed. */
  cannotRun?: CannotRun
  /** The last lines of its output; only of a check that did not pass. */
  tail?: string
}

/** The results of the configured checks on the base, before the first task. */
export interface Baseline {
  tree: string | null
  checks: BaselineCheck[]
}

/** The number of runs on one tree and how many passed, when their results differ. */
export interface FlakyRuns {
  runs: number
  passed: number
  /** Tests that failed in some of the runs; absent when the output did not name all failing tests. */
  tests?: string[]
}

/**
 * A check that both passed and failed on one tree. It is listed, and its failures blame no task for the rest of the
 * run.
 */
export interface FlakyCheck extends FlakyRuns {
  check: string
  /** The task on whose tree the flakiness was found; null for a tree of the run itself. */
  task: string | null
}

/** Why a failing check blames no task. `no-worse` still proves that nothing else broke. */
export type Excuse = 'flaky' | 'same-as-base' | 'no-worse'

export const healths = ['PROGRESSING', 'STALLED', 'BLOCKED', 'REGRESSING', 'FLIP-FLOPPING'] as const
/** The health that the monitor reports when a wave closes. */
export type Health = (typeof healths)[number]
/** Health that allows a recovery. A blocked run waits for a person instead. */
export type Trouble = Exclude<Health, 'PROGRESSING' | 'BLOCKED'>

/** A change on the run branch: one of a task, or the revert of one. */
export interface Landing {
  task: string
  commit: string
  wave: number
  revert?: true
  /** The commit that this revert undoes. */
  reverts?: string
  /** Number of criteria met before this landing. */
  met: number
  /** The changed files and the hashes of their new content; null: deleted. The list is capped. */
  files?: Record<string, string | null>
  /** The earlier content of those files that no landing had changed before. */
  was?: Record<string, string | null>
}

/** A failed attempt, as the monitor compares it. */
export interface FailedAttempt {
  task: string
  fingerprint: string | null
  /** Why a check cannot run, if that is the failure. */
  cause?: string
  summary: string
  wave: number
  /** The tree that the attempt left; null when trees are not tracked or the attempt changed nothing. */
  tree: string | null
}

/** A failure that checks showed with the change of a task, and the turns that were spent on it. */
export interface ShownFailure {
  /** Equal for the same failure in two tasks. */
  failure: string
  task: string
  /** Names of turns: those that ended with it, and the fix that is under way. */
  turns: string[]
}

/** The name of a turn of a task: attempt and round, as `2/1`. */
export const turnName = (attempt: number, round: number): string => `${attempt}/${round}`

/**
 * Changes in a wave: done tasks that regressed, tasks that completed, and checks that got worse through no task's
 * fault.
 */
export interface WaveRecord {
  wave: number
  regressed: string[]
  completed: string[]
  worse: string[]
}

export type RollbackReason = 'REGRESSING' | 'FLIP-FLOPPING' | 'culprit' | 'person'

/** The step that follows a closed wave; null when none does. */
export type NextStep =
  | { do: 'checkpoint'; passing: string[] }
  | { do: 'recover'; from: Trouble; evidence: string; tasks: string[] }
  | { do: 'roll-back'; why: RollbackReason; evidence: string; to: string; checkpoint: string | null; tasks: string[] }
  /** `broken`: the number of landings including the change that broke something. */
  | { do: 'escalate'; from: Trouble; evidence: string; broken?: number }

/** A health report of the monitor, or a recovery that was tried because of one. */
export interface Episode {
  wave: number
  health: Health
  evidence: string | null
  /** The nth recovery, with its tasks; absent for a mere health report. */
  recovery?: { n: number; tasks: string[] }
}

export interface Convergence {
  health: Health
  /** The evidence for the health. */
  evidence: string | null
  /** Failed attempts since a task was last done, newest last. */
  failures: FailedAttempt[]
  /** Failures of checks, until a task that showed them is done or a person resumes the run. Absent: none. */
  shown?: ShownFailure[]
  /** The wave before this one. */
  before: WaveRecord | null
  /** The same fields for the current wave, so far. */
  regressed: string[]
  completed: string[]
  worse: string[]
  /** Number of recoveries per trouble that have not helped yet. Only progress or a person's resume resets them. */
  recoveries: Partial<Record<Trouble, number>>
  /** By check name: the number of landings when the check last passed. */
  proofs: Record<string, number>
  /** Number of landings at the last audit. */
  audited: number
  /**
   * Configured checks that failed in that audit and were not reverted: they never passed, an outside cause broke them,
   * or the run is in place.
   */
  red: string[]
  /** Tasks done since the last audit, or times a person resumed the run with those failing checks. */
  unaudited?: number
  /** How often the current audit restarted because a check turned out to be flaky. */
  doubts?: number
  /** The number of the last checkpoint, even if a rollback dropped it: no number is used twice. */
  kept: number
  /**
   * In place only: the tree when a task or pass was last accepted, or the run began, and the tree last seen.
   * `inspections`: how often the tree was read. `touched`: a coder has worked there since. `rested`: a person may have.
   * `edits`: changes by people. `left`: by task, keys of the guard's findings in its own attempts.
   */
  accepted?: {
    tree: string
    seen: string
    inspections?: number
    touched?: true
    rested?: true
    edits?: Edit[]
    left?: Record<string, string[]>
  }
  next: NextStep | null
  /** The newest health reports and recoveries. */
  history?: Episode[]
}

/** A known-good commit of the run branch. */
export interface Checkpoint {
  id: string
  commit: string
  wave: number
  /** Number of landings at the checkpoint. */
  landings: number
  passing: string[]
  ref: string
}

/** An approach that was tried and failed, recorded so that later agents avoid it. */
export interface AntiPattern {
  id: string
  title: string
  tried: string
  /** Empty when a person requested the rollback. */
  evidence: string
  why: string
  tasks: string[]
  files: string[]
  /** The ref that keeps the abandoned commits. */
  kept?: string
}
