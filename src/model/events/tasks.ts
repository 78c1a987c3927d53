/** Events about tasks and their attempts. */
import type { Failure, Rung } from '../failure.ts'
import type { BlockKind, Evidence, TaskEdit, TaskSpec, TaskStatus, Was } from '../task.ts'

export interface TaskEvents {
  /** A task was added to the plan. */
  'task.added': { task: TaskSpec; origin: string; was?: Was }
  /** A task was changed in its source. */
  'task.edited': { task: string; edit: TaskEdit }
  /** An attempt at a task begins. */
  'task.started': { task: string; attempt: number; agent: string; wave: number; racer?: number }
  /** Tasks return to `todo`. */
  'task.reopened': {
    tasks: string[]
    why: 'goal-iteration' | 'resumed' | 'answered' | 'asked' | 'changed' | 'cooldown' | 'source'
  }
  /** A task ended: done with its evidence, or not done with the reason. */
  'task.finished': {
    task: string
    status: Extract<TaskStatus, 'done' | 'failed' | 'blocked' | 'split' | 'cancelled'>
    reason: string | null
    block: BlockKind | null
    /** The question that a blocked task waits for. */
    question?: string
    evidence: Evidence[]
    commit: string | null
    /** The coder's summary; null unless the task is done. */
    summary: string | null
    /** The files that the change touched: hash of the new content, null when deleted. */
    files?: Record<string, string | null>
    /** The hashes before the change, for files that no landing had changed before. */
    was?: Record<string, string | null>
    /** The agent changed nothing, which is not tested in place with checks off. */
    unchanged?: true
    /** Who closed the task, if neither an attempt nor a person's command did. */
    by?: 'agent' | 'source'
    /** The task is blocked because another actor has taken it in its source. */
    taken?: true
    /** Patterns for later passes of a loop. */
    patterns?: string[]
    notes?: string
  }
  /** Of several attempts at a task, this one will land. */
  'race.decided': { task: string; winner: number; losers: number[] }
  /**
   * New tests were run without the change. They must fail there to prove anything. `why`: the reason; absent when no
   * check shows that they fail there, nor that they ran.
   */
  'proof.given': { task: string; attempt: number; proved: boolean; files: string[]; why?: string }
  /** The attempt continues with a fix for this failure. */
  'attempt.fixing': {
    task: string
    attempt: number
    fix: number
    failure: Failure
    base: string | null
    tree: string | null
  }
  /**
   * The attempt ended without success; `next` is the rung of the ladder that follows. `repeated`: why it ended although
   * fixes were left: they did not change the failure, or the attempt before left the same tree.
   */
  'attempt.failed': {
    task: string
    attempt: number
    failure: Failure
    next: Rung
    tree?: string | null
    repeated?: 'failure' | 'tree'
  }
}
