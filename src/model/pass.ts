/** One pass of a loop stage. */
import type { Failure } from './failure.ts'

export interface EndedPass {
  /** The stage's position in the pipeline, and its name there. */
  stage: number
  name: string
  iteration: number
  status: 'done' | 'failed' | 'blocked'
  summary: string
  /** The agent declares that another pass would change nothing of value. */
  plateau: boolean
  /** The judge, or the `until` command, ends the stage. */
  stop: boolean
  /** Lasting facts about the codebase. */
  patterns: string[]
  /** Text for later stages. */
  output: string | null
  /** The text that the agent wrote into the progress file. */
  notes: string | null
  /** Number of files that differ from the last landing. */
  changed: number
  /** The landed tree, and the tree in the workspace. */
  base: string | null
  tree: string | null
  /** The failure that the checks or the agent reported. */
  failure: Failure | null
}
