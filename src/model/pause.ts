/** Stages of a run, and how they end or pause. */

export type StageName = 'plan' | 'scaffold' | 'execute' | 'gate' | 'backlog' | 'loop' | 'report'

export type PauseKind = 'limit' | 'question' | 'auth' | 'config' | 'blocked' | 'setup' | 'wait' | 'user' | 'health'

/** One way out of a pause. */
export interface Remedy {
  /** What it does, as an imperative. */
  text: string
  /** The exact command, or null when the action is outside Looper. */
  command: string | null
  /** The setting that the command changes; a surface may set it at once. */
  set?: { key: string; value: string | string[] }
}

/** Parts of the setting of a remedy that a person fills in. */
export const placeholders = { command: '<command>', value: '<value>' } as const

/** How a paused run is resumed. */
export interface Resume {
  /** What to do first, without a full stop; null when nothing needs to be fixed. */
  fix: string | null
  isLater: boolean
  /** The options of `looper resume`. */
  options: string
}

export interface PauseReason {
  kind: PauseKind
  /** One line: what stopped the run. */
  detail: string
  /** One line: what a person can do about it. */
  hint: string
  /** How the run is resumed; absent when the hint names another command. */
  resume?: Resume
  /** Set when the checks on the base stopped the run: no coder has worked, so settings may still change. */
  preflight?: 'cannot-run' | 'red'
  /** The last lines of the output that explain it. */
  output?: string
  /** The ways out, the best one first. */
  remedies?: Remedy[]
}

export interface Conclusion {
  status: 'completed' | 'failed'
  reason: string | null
}
