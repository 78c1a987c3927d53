/**
 * Work: what the core wants done in the world, and how the world answers.
 * Ids are deterministic (`T003/a2/fix1`), so asking twice is asking once.
 */
import type { AgentError } from './agent-error.ts'
import type { ParsedField } from './loop.ts'
import type { Purpose, Role } from './purposes.ts'
import type { SecretFinding } from './secret-finding.ts'
import type { SourceTask } from './source.ts'
import type { GuardTouches, TamperFinding } from './tamper.ts'
import type { Usage } from './usage.ts'

/** Where work happens: a task's own worktree, the run's (`main`), or a verification workspace. */
export type WorkspaceId = string

/** Stands for any verification workspace: the check says which tree it is to hold. No task can be called so. */
export const verificationWorkspace = '~verify'

export interface PrepareWork {
  kind: 'prepare'
  id: string
  workspace: WorkspaceId
  /** The commit to be at; absent: the newest of the run branch. */
  at?: string
}

export interface TurnWork {
  kind: 'turn'
  id: string
  /** The question this turn answers; retries and the repair turn share it. */
  slot: string
  workspace: WorkspaceId
  role: Role
  purpose: Purpose
  agent: string
  model: string | null
  task: string | null
  attempt: number
  /** Why the previous answer was invalid; makes this the repair turn. */
  errors: string[]
  /** The tree the workspace holds when the turn starts; null where trees are not tracked. */
  tree: string | null
  /** What a judge compares that tree with; null where there is nothing to compare. */
  base: string | null
  /** The agent's session to go on with, and what that has consumed so far; absent: a fresh one. */
  session?: { id: string; spent: Usage }
  /** What is left of the cost limit, for agents that keep to one themselves. */
  budgetUsd?: number
  /** Fields of the answer that may be given as lines of their own. */
  parse?: ParsedField[]
  /** The named session it belongs to, and where that stands. */
  within?: { session: string; stage: string; type: string }
  /** The prompt was too long for the model: say less. */
  lean?: true
}

export interface CheckWork {
  kind: 'check'
  id: string
  workspace: WorkspaceId
  task: string | null
  name: string
  /** A shell line from the user's configuration, or an argv proposed by an agent: the latter never meets a shell. */
  run: { shell: string } | { argv: string[] }
  timeoutMs: number
  /** Null: the commit's own. */
  tree: string | null
  /** What HEAD is at in the verification workspace. Absent: the check runs in `workspace`, as agents left it. */
  commit?: string
  /** Say which tests were executed. */
  names?: true
}

/** Looks at what a turn did to its workspace; with `restore`, puts back that tree when it differs. */
export interface InspectWork {
  kind: 'inspect'
  id: string
  workspace: WorkspaceId
  base: string | null
  restore: string | null
  /** A conflict that is to be resolved here: what was merged onto `base`, and the tree that git made of both. */
  resolves?: { theirs: string; tree: string }
  /** Compare tests and checks with those of the base, or of the tree that was accepted last. */
  guard?: true
  accepted?: string
  /** What a person has changed since then, from tree to tree, is not held against anybody. */
  edits?: Edit[]
  /** List what lies in the workspace and will not land. */
  outside?: true
}

export interface Edit {
  from: string
  to: string
}

/**
 * `merge` makes a commit of the workspace's tree on the newest run branch, or on a candidate that is about to land;
 * `revert` makes one that takes back what a landed commit changed; `land` moves the branch to either. None of them
 * changes the workspace, but a merge with conflicts and `move`.
 */
export interface IntegrateWork {
  kind: 'integrate'
  id: string
  workspace: WorkspaceId
  task: string
  title: string
  base: string | null
  /** `landAnyway`: nothing is checked, so a clean merge lands at once. */
  step:
    /** `onto`: a candidate that has not landed yet; absent: the newest of the run branch. */
    | { kind: 'merge'; tree: string | null; landAnyway: boolean; onto?: string }
    /** Moves the workspace to a merged tree, with HEAD at `onto`. */
    | { kind: 'move'; tree: string; onto: string }
    | { kind: 'revert'; commit: string }
    | { kind: 'land'; commit: string; onto: string }
}

/**
 * Makes a tree of two: `proof` lays what judges the candidate (tests, fixtures, configuration of runners) over the
 * base, `reverse` lays the base's over the candidate. No workspace is changed.
 */
export interface OverlayWork {
  kind: 'overlay'
  id: string
  how: 'proof' | 'reverse'
  base: string
  tree: string
}

/** Keeps a commit under a name, with what passes there. */
export interface CheckpointWork {
  kind: 'checkpoint'
  id: string
  name: string
  commit: string
  passing: string[]
}

/** Takes the run branch back to one of its commits; what it leaves stays reachable. */
export interface RollbackWork {
  kind: 'rollback'
  id: string
  from: string
  to: string
}

/**
 * Looks what a task source has to tell; with `claim`, makes that task this run's; with `write`, puts these tasks there
 * first.
 */
export interface SyncWork {
  kind: 'sync'
  id: string
  claim: string | null
  write: { why: 'bootstrap' | 'repair'; tasks: SourceTask[] } | null
}

export interface WaitWork {
  kind: 'wait'
  id: string
  /** ISO time. */
  until: string
}

/** Writes the report and removes scratch worktrees. */
export interface FinishWork {
  kind: 'finish'
  id: string
}

export type Work =
  | PrepareWork
  | TurnWork
  | CheckWork
  | InspectWork
  | IntegrateWork
  | OverlayWork
  | CheckpointWork
  | RollbackWork
  | SyncWork
  | WaitWork
  | FinishWork

export type PrepareOutcome = { kind: 'prepare'; base: string | null; tree: string | null }

/** How much of what an agent may consume is used, 0 to 1, and when it begins anew, as far as it tells. */
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
  /** What the turns of the run have written to the disk; only when that is more than the limit. */
  diskBytes?: number
  durationMs: number
  sessionId: string | null
  /** What the agent wrote into the files it was given for that. */
  left?: { progress: string | null; output: string | null }
  /** Files that a read-only role changed; they were put back where Looper could. */
  edited: string[]
} & (
  | { status: 'ok'; result: unknown }
  | { status: 'invalid'; errors: string[]; text: string }
  | { status: 'error'; error: AgentError }
)

export interface CheckOutcome {
  kind: 'check'
  /** Null when the process was ended by a signal or never started. */
  exitCode: number | null
  durationMs: number
  timedOut: boolean
  /** False when the program does not exist (an agent's proposal may be prose). */
  started: boolean
  /** How many tests the output says were executed; null when it does not say. */
  tests: number | null
  tail: string
  fingerprint: string | null
  /** Names of the tests that failed, as often as they did; only where the output names all that failed. */
  failing?: string[]
  /** How many tests passed beside them, where it says so. */
  passing?: number
  /** Names of the tests that ran, where they were asked for and the output lists all of them. */
  executed?: string[]
  /** The tree that the verification workspace held. Absent: it ran where an agent may have been. */
  verified?: string
  /** Files of the tree that changed while it ran, and that the check did not change itself: no evidence then. */
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
  /** The content of each file named, by its hash; null where it is gone. */
  hashes?: Record<string, string | null>
  /** The same of the base, in the order of `files`. */
  was?: (string | null)[]
  /** What is not resolved of the conflict; only when asked for. */
  unresolved?: Unresolved[]
  /** Tests and checks made weaker, and files with new tests; only when asked for. */
  tamper?: TamperFinding[]
  newTests?: string[]
  /** Tests, fixtures or what checks are made of differ from the base, beyond what is new. */
  touchesTests?: true
  /** Values of known secrets in what changed. */
  secrets?: SecretFinding[]
  /** What lies in the workspace and will not land; only when asked for. */
  outside?: LeftOutside[]
  /** Work inside submodules that does not land as it is. */
  submodules?: SubmoduleWork[]
}

/**
 * `edits`: they are in no commit of the submodule. `kept` is the ref that holds them in the checkout's copy of it, null
 * when a known secret may be in them. `secret`: the value of a known secret is in commits that the change names.
 */
export type SubmoduleWork = { kind: 'edits'; path: string; kept: string | null } | { kind: 'secret'; path: string }

/**
 * The change puts the submodule at a commit that no remote branch or tag of the checkout's copy holds, as far as the
 * checkout knows. `kept` is the ref that holds it in that copy; null when Looper could not copy it.
 */
export interface SubmoduleCommit {
  path: string
  commit: string
  kept: string | null
}

/** `by`: the rule that ignores the file, as `.gitignore:1`; null where that is not known. */
export type LeftOutside =
  | { kind: 'ignored'; path: string; by: string | null }
  | { kind: 'empty-folder'; path: string }
  | { kind: 'submodule'; path: string }

/** `left-over`: a file that git itself has put aside under a name of its own. */
export interface Unresolved {
  file: string
  why: 'markers' | 'one-side' | 'left-over'
}

export type IntegrateOutcome = { kind: 'integrate' } /** `stacked`: `onto` is a candidate that had not landed. */ & (
  | { status: 'merged'; commit: string; tree: string; onto: string; stacked?: true; submodules?: SubmoduleCommit[] }
  | { status: 'landed'; commit: string | null; submodules?: SubmoduleCommit[] }
  | { status: 'placed' }
  /**
   * `tree` has both sides with markers between them, and is what the workspace holds now, on `onto`. Not every file
   * can have markers. `theirs` is the commit that was to be merged; a revert has none that anybody could resolve.
   */
  | { status: 'conflict'; onto: string; files: string[]; tree: string; theirs?: string; stacked?: true }
  /** The run branch moved meanwhile: merge again. */
  | { status: 'moved' }
)

export interface OverlayOutcome {
  kind: 'overlay'
  /** Null: there is nothing to lay over. */
  tree: string | null
  /** Paths of the change that are not product, by their role. */
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
  /** The ref that keeps what the branch left. */
  kept: string | null
}

export interface SyncOutcome {
  kind: 'sync'
  /** New there, or changed there by somebody else; everything at the first look. */
  tasks: SourceTask[]
  /** Those of them whose words alone are new: where they stand is this run's own word. */
  reworded?: string[]
  removed: string[]
  /** The task asked for, and whether it is this run's now. */
  claim: { task: string; ok: boolean } | null
  /** Somebody has noted there that everything is done. */
  complete: boolean
  /** Why what is there cannot be understood. It is left alone until a person or an agent mends it. */
  problems: string[]
  /** What is there, as far as it goes into a prompt; only with problems. */
  text?: string
}

export interface WaitOutcome {
  kind: 'wait'
}
export interface FinishOutcome {
  kind: 'finish'
}

/** The work could not be done for a reason of the environment: git failed, set-up failed, the disk is full. */
export interface FailureOutcome {
  kind: 'failure'
  code: string
  message: string
  /** What is to be done before the run can go on. */
  hint?: string
  /** The answer of the turn, where only what comes after the agent failed: it is not asked again. */
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
