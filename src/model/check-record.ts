/** What Looper saw when it ran a check. */
import type { Excuse, FlakyRuns } from './convergence.ts'

export interface CheckRecord {
  task: string | null
  attempt: number
  round: number
  /** True when the check ran on the result of the merge rather than on the task's own tree. */
  merged: boolean
  check: string
  passed: boolean
  /** False for a command that an agent proposed and that cannot be run: it proves nothing and blames no task. */
  usable: boolean
  /** Why it did not pass although its exit code is 0, or why it does not count. */
  note: string | null
  exitCode: number | null
  durationMs: number
  tests: number | null
  tree: string | null
  tail: string
  fingerprint: string | null
  /** On one tree it passed in some runs and failed in others; then `passed` is true, for Looper has seen it pass. */
  flaky?: FlakyRuns
  /** Why it blames no task although it is red. */
  excuse?: Excuse
  /** Held out from agents. */
  hidden?: true
}
