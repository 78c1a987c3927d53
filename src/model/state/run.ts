/** The run itself: what it was started with, where it stands and for how long it has been running. */
import type { RunConfig } from '../config.ts'
import type { Conclusion, PauseReason, StageName } from '../event.ts'
import type { Pipeline } from '../loop.ts'

export type RunStatus = 'new' | 'running' | 'completed' | 'failed' | 'paused' | 'aborted'

export interface RunSlice {
  seq: number
  lastAt: string
  run: string
  goal: string
  workflow: string
  stages: StageName[]
  config: RunConfig
  base: { commit: string; branch: string | null }
  branch: string
  session: string | null
  pipeline: Pipeline | null
  /** What agents read for each task of a backlog, where the user has words of their own. */
  prompt: string | null
  status: RunStatus
  reason: string | null
  pause: PauseReason | null
  /** Null until the first stage is entered. */
  stage: StageName | null
  conclusion: Conclusion | null
  /** What a person asked for and the run has not reached yet. */
  request: 'pause' | 'stop' | 'abort' | null
  /** After a resume, tasks that had failed are to be opened again. */
  reopening: boolean
  /** What a person did with the changes, until the run goes on and makes others. */
  applied: { commit: string; onto: string | null; at: string } | null
  discardedAt: string | null
  startedAt: string
  endedAt: string | null
  /** Running time before the current stretch, and when that stretch began. */
  elapsedMs: number
  activeSince: string | null
}
