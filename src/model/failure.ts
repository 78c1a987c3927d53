/** Why an attempt failed, and what follows from it. */
import type { AgentErrorKind } from './agent-error.ts'

/** Why an attempt failed. The next coder's prompt contains the whole failure. */
export interface Failure {
  kind:
    | 'check'
    | 'test'
    | 'verdict'
    | 'agent'
    | 'no-change'
    | 'conflict'
    | 'workspace'
    | 'unfinished'
    | 'tamper'
    | 'secret'
    | 'regression'
  /** The agent's error, when `kind` is `agent`. */
  error: AgentErrorKind | null
  summary: string
  detail: string
  /** Equal for equal failures: ignores paths, times and addresses in the text. */
  fingerprint: string | null
  /** Why a check cannot run, if that is the failure; equal for the same cause in two tasks. */
  cause?: string
  /** Permissions (`allows`) that the tamper guard requires before the change may land. */
  needs?: string[]
}

/** `none`: other attempts at the task are still running. */
export type Rung = 'retry' | 'split' | 'fail' | 'none'
