/** The recorded result of a check that Looper ran. */
import type { CannotRun } from './cannot-run.ts'
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
  /** Why the check failed although its exit code is 0, or why its result does not count. */
  note: string | null
  exitCode: number | null
  durationMs: number
  tests: number | null
  tree: string | null
  tail: string
  fingerprint: string | null
  /** Why the check cannot run here. */
  cannotRun?: CannotRun
  /** Set when the check passed in some runs and failed in others on one tree; `passed` is then true. */
  flaky?: FlakyRuns
  /** Why a failing check blames no task. */
  excuse?: Excuse
  /** Hidden from agents. */
  hidden?: true
}
