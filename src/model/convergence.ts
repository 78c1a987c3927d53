/**
 * Whether the work converges: what checks were before it began, which of them cannot be trusted, and what the monitor
 * says.
 */
import type { Edit } from './work.ts'

export interface BaselineCheck {
  check: string
  passed: boolean
  /** Names of the tests that failed, where its output told all that did. */
  failing: string[] | null
  /** How many passed beside them. */
  passing?: number
  fingerprint: string | null
}

/** What the configured checks came to on the base, before the first task. */
export interface Baseline {
  tree: string | null
  checks: BaselineCheck[]
}

/** Of how many runs on one tree how many passed, where they do not agree. */
export interface FlakyRuns {
  runs: number
  passed: number
  /** The tests that failed in some of them; absent where the output did not name all that failed. */
  tests?: string[]
}

/**
 * A check that both passed and failed on one tree. It is listed, and what failed so blames nobody for the rest of the
 * run.
 */
export interface FlakyCheck extends FlakyRuns {
  check: string
  /** The task on whose tree it was found out; null for the run's own. */
  task: string | null
}

/** Why a check that is red blames nobody; `no-worse` proves all the same that nothing else broke. */
export type Excuse = 'flaky' | 'same-as-base' | 'no-worse'

export const healths = ['PROGRESSING', 'STALLED', 'BLOCKED', 'REGRESSING', 'FLIP-FLOPPING'] as const
/** What the monitor says when a wave closes. */
export type Health = (typeof healths)[number]
/** What can be recovered from. Who is blocked waits for somebody. */
export type Trouble = Exclude<Health, 'PROGRESSING' | 'BLOCKED'>

/** A change on the run branch: a task's, or the revert of one. */
export interface Landing {
  task: string
  commit: string
  wave: number
  revert?: true
  /** The commit that a revert takes back. */
  reverts?: string
  /** How many criteria were met before it. */
  met: number
  /** The files it changed and what they hold since; null: gone. Named up to a point. */
  files?: Record<string, string | null>
  /** What those of them held before that nothing had changed until then. */
  was?: Record<string, string | null>
}

/** What an attempt that failed looked like. */
export interface FailedAttempt {
  task: string
  fingerprint: string | null
  summary: string
  wave: number
  /** What it left; null where trees are not tracked or nothing came of it. */
  tree: string | null
}

/**
 * What changed in a wave: which tasks were done and are no more, which came to be done, and which checks got worse by
 * nobody's fault.
 */
export interface WaveRecord {
  wave: number
  fell: string[]
  rose: string[]
  worse: string[]
}

export type RollbackReason = 'REGRESSING' | 'FLIP-FLOPPING' | 'culprit' | 'person'

/** What follows from how a wave closed; null when nothing does. */
export type NextStep =
  | { do: 'checkpoint'; passing: string[] }
  | { do: 'recover'; from: Trouble; evidence: string; tasks: string[] }
  | { do: 'roll-back'; why: RollbackReason; evidence: string; to: string; checkpoint: string | null; tasks: string[] }
  /** `broken`: how many had landed with the change that broke something. */
  | { do: 'escalate'; from: Trouble; evidence: string; broken?: number }

/** What the monitor said, or what was tried because of it. */
export interface Episode {
  wave: number
  health: Health
  evidence: string | null
  /** Another approach to these, for the nth time; absent: it was said. */
  recovery?: { n: number; tasks: string[] }
}

export interface Convergence {
  health: Health
  /** What the health is read from. */
  evidence: string | null
  /** Attempts that failed since a task was last done, the newest last. */
  failures: FailedAttempt[]
  /** The wave before this one. */
  before: WaveRecord | null
  /** The same of this one, so far. */
  fell: string[]
  rose: string[]
  worse: string[]
  /**
   * How often each trouble was met with a recovery that did not help so far; only progress or a person's resume begins
   * anew.
   */
  recoveries: Partial<Record<Trouble, number>>
  /** By the name of a check: how many changes had landed when it was last seen green. */
  proofs: Record<string, number>
  /** How many had landed when the whole was last audited. */
  audited: number
  /**
   * Configured checks that were red then and not taken back: they were never green, turned red outside, or the run is
   * in place.
   */
  red: string[]
  /** Tasks done since then, or times that a person let the run go on with those. */
  unaudited?: number
  /** How often the audit under way was begun again because a check turned out to be flaky. */
  doubts?: number
  /** The number of the last checkpoint, also when a rollback dropped it: none is used twice. */
  kept: number
  /**
   * In place: what was there when a task or a pass was last accepted, or the run began, and what was seen there last.
   * `looks`: how often somebody looked. `touched`: a coder has been there since; `rested`: a person may have been.
   * `edits`: what persons changed. `left`: by task, keys of what the guard found in its own attempts.
   */
  accepted?: {
    tree: string
    seen: string
    looks?: number
    touched?: true
    rested?: true
    edits?: Edit[]
    left?: Record<string, string[]>
  }
  next: NextStep | null
  /** How it came here: the newest of what was said and tried. */
  past?: Episode[]
}

/** A known-good commit of the run branch. */
export interface Checkpoint {
  id: string
  commit: string
  wave: number
  /** What had landed there. */
  landings: number
  passing: string[]
  ref: string
}

/** What was tried and did not work, for whoever comes near it again. */
export interface AntiPattern {
  id: string
  title: string
  tried: string
  /** Empty where a person wanted it. */
  evidence: string
  why: string
  tasks: string[]
  files: string[]
  /** The ref of what the branch left. */
  kept?: string
}
