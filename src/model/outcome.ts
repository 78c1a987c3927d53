/** Outcomes of work: what the world reports when the work is done. */
import type { AgentError } from './agent-error.ts'
import type { CannotRun } from './cannot-run.ts'
import type { SecretFinding } from './secret-finding.ts'
import type { SourceTask } from './source.ts'
import type { GuardTouches, TamperFinding } from './tamper.ts'
import type { Usage } from './usage.ts'

export type PrepareOutcome = { kind: 'prepare'; base: string | null; tree: string | null }

/** The used share of an agent's quota, 0 to 1, and when it resets, if reported. */
export interface Quota {
  name: string
  used: number | null
  /** ISO time. */
  resetsAt: string | null
}

export type TurnOutcome = {
  kind: 'turn'
  quotas?: Quota[]
  usage: Usage
  /** Bytes that the run's turns have written to the disk; only when above the limit. */
  diskBytes?: number
  durationMs: number
  sessionId: string | null
  /** The text of the files that the agent was given for progress and output. */
  left?: { progress: string | null; output: string | null }
  /** Files that a read-only role changed; Looper restored them where it could. */
  edited: string[]
} & (
  | { status: 'ok'; result: unknown }
  | { status: 'invalid'; errors: string[]; text: string }
  | { status: 'error'; error: AgentError }
)

export interface CheckOutcome {
  kind: 'check'
  /** Null when a signal ended the process or it never started. */
  exitCode: number | null
  durationMs: number
  timedOut: boolean
  /** False when the program does not exist (an agent's proposal may be prose). */
  started: boolean
  /** Number of executed tests according to the output; null when unknown. */
  tests: number | null
  tail: string
  fingerprint: string | null
  /**
   * What identifies the failure where fingerprints drop numbers: the names of the failing tests, else the line that
   * says what is wrong. Absent when it passed.
   */
  exact?: string
  /** Why the check cannot run here; absent when it passed, or ran and failed. */
  cannotRun?: CannotRun
  /** A remembered result of the same check on the same tree; only for the base of a run. */
  remembered?: true
  /** Names of the failing tests, repeated per failure; only if the output names all of them. */
  failing?: string[]
  /** Number of passing tests, if known. */
  passing?: number
  /** Names of the executed tests, if requested and the output lists all of them. */
  executed?: string[]
  /** The tree in the verification workspace. Absent: the check ran where an agent may have worked. */
  verified?: string
  /** Files of the tree that changed during the check but not by it: the result is no evidence. */
  altered?: string[]
}

export interface InspectOutcome {
  kind: 'inspect'
  tree: string
  /** Paths changed since the base, at most 200, and their full count. */
  files: string[]
  fileCount: number
  insertions: number
  deletions: number
  restored: boolean
  /** Hashes of the listed files; null when deleted. */
  hashes?: Record<string, string | null>
  /** Hashes in the base, in the order of `files`. */
  was?: (string | null)[]
  /** Unresolved parts of the conflict; only when requested. */
  unresolved?: Unresolved[]
  /** Weakened tests and checks, and files with new tests; only when requested. */
  tamper?: TamperFinding[]
  newTests?: string[]
  /** Existing tests, fixtures or check definitions differ from the base. */
  touchesTests?: true
  /** Values of known secrets in the changes. */
  secrets?: SecretFinding[]
  /** Files in the workspace that will not land; only when requested. */
  outside?: LeftOutside[]
  /** Changes inside submodules that do not land as they are. */
  submodules?: SubmoduleWork[]
}

/**
 * `edits`: changes that are in no commit of the submodule. `kept` is the ref that keeps them in the checkout's copy of
 * it, null when they may contain a known secret. `noCopy`: the checkout has no copy of it, and the user's repository
 * keeps its files; `kept` is null as well when Looper could not read all. `secret`: commits that the change refers to
 * contain the value of a known secret.
 */
export type SubmoduleWork =
  { kind: 'edits'; path: string; kept: string | null; noCopy?: true } | { kind: 'secret'; path: string }

/**
 * The change moves the submodule to a commit that no remote branch or tag of the checkout's copy contains, as far as
 * the checkout knows. `kept` is the ref that keeps it in that copy; null when Looper could not copy it.
 * `noCopy`: the checkout has no copy of the submodule, and the user's repository keeps the commit.
 */
export interface SubmoduleCommit {
  path: string
  commit: string
  kept: string | null
  noCopy?: true
}

/**
 * `by`: the rule that ignores the file, as `.gitignore:1`; null when unknown. `submodule`: edits in no commit of it.
 * `not-fetched`: the checkout has no copy of the submodule, so that only this workspace has its files.
 */
export type LeftOutside =
  | { kind: 'ignored'; path: string; by: string | null }
  | { kind: 'empty-folder'; path: string }
  | { kind: 'submodule'; path: string }
  | { kind: 'not-fetched'; path: string }

/** `left-over`: a file that git itself saved under a different name. */
export interface Unresolved {
  file: string
  why: 'markers' | 'one-side' | 'left-over'
}

export type IntegrateOutcome = { kind: 'integrate' } /** `stacked`: `onto` is a candidate that had not landed. */ & (
  | { status: 'merged'; commit: string; tree: string; onto: string; stacked?: true; submodules?: SubmoduleCommit[] }
  | { status: 'landed'; commit: string | null; submodules?: SubmoduleCommit[] }
  | { status: 'placed' }
  /**
   * `tree` has both sides with conflict markers and is now in the workspace, on `onto`. Not every file can have
   * markers. `theirs` is the commit to merge; a revert has none, and its conflicts cannot be resolved.
   */
  | { status: 'conflict'; onto: string; files: string[]; tree: string; theirs?: string; stacked?: true }
  /** The run branch moved meanwhile: merge again. */
  | { status: 'moved' }
)

export interface OverlayOutcome {
  kind: 'overlay'
  /** Null: there is nothing to overlay. */
  tree: string | null
  /** Changed paths that are not product code, by role. */
  touches?: GuardTouches
}

export interface CheckpointOutcome {
  kind: 'checkpoint'
  ref: string
}

export interface RollbackOutcome {
  kind: 'rollback'
  /** `moved`: the run branch was not at `from`. */
  status: 'done' | 'moved'
  /** The ref that keeps the abandoned commits. */
  kept: string | null
}

export interface SyncOutcome {
  kind: 'sync'
  /** Tasks that are new or that another actor changed; all tasks at the first poll. */
  tasks: SourceTask[]
  /** Those of them with only new wording: their status is the one that this run wrote. */
  reworded?: string[]
  removed: string[]
  /** The requested task, and whether this run has it now. */
  claim: { task: string; ok: boolean } | null
  /** The source is marked as complete. */
  complete: boolean
  /** Why the content cannot be parsed. It stays unchanged until a person or an agent fixes it. */
  problems: string[]
  /** The content, shortened for a prompt; only with problems. */
  text?: string
}

export interface WaitOutcome {
  kind: 'wait'
}
export interface FinishOutcome {
  kind: 'finish'
}

/** The work failed because of the environment: git failed, set-up failed, the disk is full. */
export interface FailureOutcome {
  kind: 'failure'
  code: string
  message: string
  /** What to do before the run can continue. */
  hint?: string
  /** The answer of the turn, when only a step after the agent failed: the agent is not asked again. */
  answer?: TurnOutcome
}

export type Outcome =
  | PrepareOutcome
  | TurnOutcome
  | CheckOutcome
  | InspectOutcome
  | IntegrateOutcome
  | OverlayOutcome
  | CheckpointOutcome
  | RollbackOutcome
  | SyncOutcome
  | WaitOutcome
  | FinishOutcome
  | FailureOutcome
