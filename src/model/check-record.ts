/** The recorded result of a check that Looper ran. */
import { causeOf, type CannotRun } from './cannot-run.ts'
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
  /** The names of the failing tests, else the line that says what is wrong: two tasks must share it exactly. */
  exact?: string
  /** Why the check cannot run here. */
  cannotRun?: CannotRun
  /** Set when the check passed in some runs and failed in others on one tree; `passed` is then true. */
  flaky?: FlakyRuns
  /** Why a failing check blames no task. */
  excuse?: Excuse
  /** Hidden from agents. */
  hidden?: true
}

/** A red result that blames the task. */
export const isRed = ({ usable, passed, excuse }: CheckRecord): boolean => usable && !passed && excuse === undefined

/** Equal for the same failure in two tasks; null when the failure cannot be compared. */
export function failureKey({ check, fingerprint, exact = '', cannotRun }: CheckRecord): string | null {
  if (cannotRun) return causeOf(cannotRun)
  return fingerprint === null ? null : `${check} ${fingerprint} ${exact}`
}
