/** Waves of attempts, and whether they converge: baseline, landings, checkpoints. */
import type { AntiPattern, Baseline, Checkpoint, Convergence, FlakyCheck, Landing } from '../convergence.ts'

export interface WavesSlice {
  wave: number
  waveTasks: string[]
  /** The last wave that was reviewed as a whole. */
  waveReviewed: number
  /** Null until the checks have been run on the base. */
  baseline: Baseline | null
  /** How often the baseline was taken again because a person resumed the run before the first task. */
  preflights?: number
  /** Flaky checks, by name. */
  flaky: Record<string, FlakyCheck>
  convergence: Convergence
  /** The changes on the run branch, in order. */
  landings: Landing[]
  checkpoints: Checkpoint[]
  antiPatterns: AntiPattern[]
}
