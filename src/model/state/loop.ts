/** The loop stage of a pipeline and its passes. */
import type { CheckRecord, Failure, Iteration } from '../event.ts'

/** One line of what happened, for the passes that follow. */
export type ProgressEntry = Pick<Iteration, 'name' | 'iteration' | 'status' | 'summary' | 'notes' | 'changed'> & {
  at: string
}

export interface LoopState {
  /** Which stage of the pipeline, from 0, and the run's wave when it began. */
  stage: number
  wave: number
  /** Passes of this stage that count, how often the one at hand was tried, and how many of them came to something. */
  iterations: number
  tries: number
  succeeded: number
  /** In a row: passes that failed, that were blocked, and that declared a plateau. */
  failures: number
  blocked: number
  agreed: number
  stop: boolean
  /** What is wrong with what the workspace holds. */
  failure: Failure | null
  /** What is landed, and what the workspace holds; null before the first pass. */
  base: string | null
  tree: string | null
  /** Checks judged in the pass under way. */
  checks: CheckRecord[]
  endedAt: string | null
  /** Passes whose changes landed, and how many of those Looper saw pass its checks. */
  landed: number
  verified: number
  entries: ProgressEntry[]
  patterns: string[]
  /** By the name of the stage: of the newest passes that gave any, which one it was and what it gave. */
  outputs: Record<string, { from: string; text: string }[]>
}

export interface LoopSlice {
  /** Null unless the run has a pipeline. */
  loop: LoopState | null
}
