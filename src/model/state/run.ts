/** The run itself: its inputs, its status and its running time. */
import type { RunConfig } from '../config.ts'
import type { Conclusion, PauseReason, StageName } from '../event.ts'
import type { Pipeline } from '../loop.ts'

export type RunStatus = 'new' | 'running' | 'completed' | 'failed' | 'paused' | 'aborted'

/** Only a paused run has a reason to be paused. */
type RunStatusFields = { status: 'paused'; pause: PauseReason } | { status: Exclude<RunStatus, 'paused'>; pause: null }

interface RunFields {
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
  /** The user's own prompt for each task of a backlog. */
  prompt: string | null
  reason: string | null
  /** Null until the first stage is entered. */
  stage: StageName | null
  conclusion: Conclusion | null
  /** A person's request that the run has not carried out yet. */
  request: 'pause' | 'stop' | 'abort' | null
  /** Set when no person asked: the terminal was closed. */
  requestWhy?: 'hangup'
  /** Set after a resume: failed tasks will be reopened. */
  reopening: boolean
  /** What a person did with the changes; reset when the run continues and makes new ones. */
  applied: { commit: string; onto: string | null; at: string; red?: string[] } | null
  /** The commit of the run branch that was applied last, and what it became; stays when the run continues. */
  taken?: { tip: string; commit: string }
  discardedAt: string | null
  startedAt: string
  endedAt: string | null
  /** Running time before the current period, and when that period began. */
  elapsedMs: number
  activeSince: string | null
}

export type RunSlice = RunFields & RunStatusFields
