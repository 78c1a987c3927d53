/** Why an attempt failed, and what follows from it. */
import type { AgentErrorKind } from './agent-error.ts'

/** Why an attempt did not work out. The whole failure is in the next coder's prompt. */
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
  /** Same failure, same fingerprint, whatever the paths, times and addresses in its text. */
  fingerprint: string | null
  /** Permissions (`allows`) without which the tamper guard does not let the change land. */
  needs?: string[]
}

/** `none`: others are at it still. */
export type Rung = 'retry' | 'split' | 'fail' | 'none'
