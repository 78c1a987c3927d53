/** The loop stage of a pipeline and its passes. */
import type { CheckRecord, Failure, EndedPass } from '../event.ts'

/** A summary line of a pass, for later passes. */
export type ProgressEntry = Pick<EndedPass, 'name' | 'iteration' | 'status' | 'summary' | 'notes' | 'changed'> & {
  at: string
}

export interface LoopState {
  /** The position of the stage in the pipeline, from 0, and the run's wave when the stage began. */
  stage: number
  wave: number
  /** Passes of this stage that count, tries of the current pass, and passes that achieved something. */
  iterations: number
  tries: number
  succeeded: number
  /** Consecutive passes that failed, were blocked, or declared a plateau. */
  failures: number
  blocked: number
  agreed: number
  stop: boolean
  /** What is wrong with the tree in the workspace. */
  failure: Failure | null
  /** The landed tree, and the tree in the workspace; null before the first pass. */
  base: string | null
  tree: string | null
  /** Checks judged in the current pass. */
  checks: CheckRecord[]
  endedAt: string | null
  /** Passes whose changes landed, and how many of them passed Looper's checks. */
  landed: number
  verified: number
  entries: ProgressEntry[]
  patterns: string[]
  /** By stage name: the outputs of its newest passes, each with the pass that wrote it. */
  outputs: Record<string, { from: string; text: string }[]>
}

export interface LoopSlice {
  /** Null unless the run has a pipeline. */
  loop: LoopState | null
}
