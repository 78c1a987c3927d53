/** One pass of a loop stage. */
import type { Failure } from './failure.ts'

export interface Iteration {
  /** The stage's place in the pipeline, and its name there. */
  stage: number
  name: string
  iteration: number
  status: 'done' | 'failed' | 'blocked'
  summary: string
  /** Declared by the agent: another pass would change nothing of worth. */
  plateau: boolean
  /** The judge, or the command that was waited for, ends the stage. */
  stop: boolean
  /** Lasting facts on the codebase. */
  patterns: string[]
  /** For the stages that follow. */
  output: string | null
  /** What the agent wrote into the progress file. */
  notes: string | null
  /** How many files differ from what landed last. */
  changed: number
  /** What is landed, and what the workspace holds. */
  base: string | null
  tree: string | null
  /** Why the checks, or the agent, say that it is not right. */
  failure: Failure | null
}
