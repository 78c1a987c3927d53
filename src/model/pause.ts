/** Stages of a run, and how they end or pause. */

export type StageName = 'plan' | 'scaffold' | 'execute' | 'gate' | 'backlog' | 'loop' | 'report'

export type PauseKind = 'limit' | 'question' | 'auth' | 'config' | 'blocked' | 'setup' | 'wait' | 'user' | 'health'

export interface PauseReason {
  kind: PauseKind
  /** One line: what stopped the run. */
  detail: string
  /** One line: what a person can do about it. */
  hint: string
}

export interface Conclusion {
  status: 'completed' | 'failed'
  reason: string | null
}
