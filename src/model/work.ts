/**
 * Work: requests of the core to the world. Ids are deterministic (`T003/a2/fix1`), so a repeated request is the same
 * request. What readers need to know about work is a field, not a part of its id.
 */
import type { ParsedField } from './loop.ts'
import type { Purpose, Role } from './purposes.ts'
import type { SourceTask } from './source.ts'
import type { Usage } from './usage.ts'

export type * from './outcome.ts'

/** A workspace: a task's own worktree, the run's (`main`), or a verification workspace. */
export type WorkspaceId = string

/** Any verification workspace; the check names the tree. Not a valid task id. */
export const verificationWorkspace = '~verify'

export interface PrepareWork {
  kind: 'prepare'
  id: string
  workspace: WorkspaceId
  /** The task whose workspace it is; absent for the workspaces of the run. */
  task?: string
  /** The commit to check out; absent: the newest of the run branch. */
  at?: string
  /** False: the agent only reads, so the workspace needs no products of set-up. */
  setup?: false
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
  /** The tree in the workspace when the turn starts; null when trees are not tracked. */
  tree: string | null
  /** The tree that a judge compares with; null when there is nothing to compare. */
  base: string | null
  /** The agent session to continue, and its usage so far; absent: a fresh one. */
  session?: { id: string; spent: Usage }
  /** The rest of the cost limit, for agents that enforce one themselves. */
  budgetUsd?: number
  /** Fields of the answer that may be separate lines. */
  parse?: ParsedField[]
  /** The named session of the turn, and its current stage. */
  within?: { session: string; stage: string; type: string }
  /** The prompt was too long for the model: shorten it. */
  lean?: true
  /** The pass of a loop stage, from 1. */
  pass?: number
  judges?: JudgedChange
}

/** The change of one round of an attempt. A proof or a verdict about it stays valid wherever the change is merged. */
export interface JudgedChange {
  task: string
  attempt: number
  round: number
}

export interface CheckWork {
  kind: 'check'
  id: string
  workspace: WorkspaceId
  task: string | null
  name: string
  /**
   * A shell command from the user's configuration, or an argv proposed by an agent, which is never passed to a shell.
   */
  run: { shell: string } | { argv: string[] }
  timeoutMs: number
  /** Null: the tree of the commit. */
  tree: string | null
  /** HEAD in the verification workspace. Absent: the check runs in `workspace`, as agents left it. */
  commit?: string
  /** Report which tests were executed. */
  names?: true
  /** Which rerun after a red result, from 1; absent for the first run. */
  rerun?: number
  judges?: JudgedChange
}

/** The command of a check as one line, for people and for patterns. It is never passed to a shell. */
export const commandLine = (run: CheckWork['run']): string => ('shell' in run ? run.shell : run.argv.join(' '))

/** Inspects the changes of a turn in its workspace; with `restore`, resets the workspace to that tree if it differs. */
export interface InspectWork {
  kind: 'inspect'
  id: string
  workspace: WorkspaceId
  /** The task whose workspace it is; absent for the workspaces of the run. */
  task?: string
  base: string | null
  restore: string | null
  /** A conflict to resolve here: the commit merged onto `base`, and the tree that git produced. */
  resolves?: { theirs: string; tree: string }
  /** Compare tests and checks with those of the base, or of the last accepted tree. */
  guard?: true
  accepted?: string
  /** Changes by a person since then, from tree to tree; the guard blames no task for them. */
  edits?: Edit[]
  /** List files in the workspace that will not land. */
  outside?: true
}

export interface Edit {
  from: string
  to: string
}

/**
 * `merge` commits the workspace's tree on the newest run branch, or on a candidate that is about to land; `revert`
 * commits the inverse of a landed commit; `land` moves the branch to either. Only a merge with conflicts and `move`
 * change the workspace.
 */
export interface IntegrateWork {
  kind: 'integrate'
  id: string
  workspace: WorkspaceId
  task: string
  title: string
  /** The type of the task, for the commit message; absent: none is known. */
  type?: string
  base: string | null
  /** `landAnyway`: no checks exist, so a clean merge lands at once. */
  step:
    /** `onto`: a candidate that has not landed yet; absent: the newest commit of the run branch. */
    | { kind: 'merge'; tree: string | null; landAnyway: boolean; onto?: string }
    /** Moves the workspace to a merged tree, with HEAD at `onto`. */
    | { kind: 'move'; tree: string; onto: string }
    | { kind: 'revert'; commit: string }
    | { kind: 'land'; commit: string; onto: string }
}

/**
 * Combines two trees: `proof` overlays the candidate's tests, fixtures and runner configuration on the base, `reverse`
 * overlays the base's on the candidate. Changes no workspace.
 */
export interface OverlayWork {
  kind: 'overlay'
  id: string
  how: 'proof' | 'reverse'
  base: string
  tree: string
  judges?: JudgedChange
}

/** Saves a commit under a name, with the checks that pass there. */
export interface CheckpointWork {
  kind: 'checkpoint'
  id: string
  name: string
  commit: string
  passing: string[]
}

/** Resets the run branch to one of its commits; the abandoned commits stay reachable. */
export interface RollbackWork {
  kind: 'rollback'
  id: string
  from: string
  to: string
}

/** Polls a task source; with `claim`, claims that task for this run; with `write`, first writes these tasks. */
export interface SyncWork {
  kind: 'sync'
  id: string
  claim: string | null
  /** The poll that failed and is repeated by this one; absent for the first try. */
  repeats?: string
  write: { why: 'bootstrap' | 'repair'; tasks: SourceTask[] } | null
}

export interface WaitWork {
  kind: 'wait'
  id: string
  /** ISO time. */
  until: string
  awaits: WaitReason
}

/**
 * `delay`: the user's delay between two passes. `retry`: a limit of an agent, an overloaded model or an unreadable
 * source; `nth` counts the waits for this question, null when the quota was known to be exhausted before.
 */
export type WaitReason =
  { kind: 'time-limit' } | { kind: 'delay' } | { kind: 'retry'; question: string; nth: number | null }

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

/** Whether it is the wait for the run's time limit, which people do not see as work. */
export const isDeadline = (work: Work): boolean => work.kind === 'wait' && work.awaits.kind === 'time-limit'

/** Whether it waits for a limit to end or a retry to be due. Such a wait is no running time. */
export const isRetryWait = (work: Work): boolean => work.kind === 'wait' && work.awaits.kind === 'retry'
