/** Events about tasks and their attempts. */
import type { Failure, Rung } from '../failure.ts'
import type { BlockKind, Evidence, TaskEdit, TaskSpec, TaskStatus, Was } from '../task.ts'

export interface TaskEvents {
  /** A task joined the plan. */
  'task.added': { task: TaskSpec; origin: string; was?: Was }
  /** A task was changed in its source. */
  'task.edited': { task: string; edit: TaskEdit }
  /** An attempt at a task begins. */
  'task.started': { task: string; attempt: number; agent: string; wave: number; lane?: number }
  /** Tasks go back to `todo`. */
  'task.reopened': {
    tasks: string[]
    why: 'goal-iteration' | 'resumed' | 'answered' | 'asked' | 'changed' | 'cooldown' | 'source'
  }
  /** A task left its attempts: done with its evidence, or not done with the reason. */
  'task.finished': {
    task: string
    status: Extract<TaskStatus, 'done' | 'failed' | 'blocked' | 'split' | 'cancelled'>
    reason: string | null
    block: BlockKind | null
    evidence: Evidence[]
    commit: string | null
    /** What the coder says it did; null unless done. */
    summary: string | null
    /** What its change made of each file it touched: the hash of its content, null where it is gone. */
    files?: Record<string, string | null>
    /** The same of before, for files that nothing on the run branch had changed until then. */
    was?: Record<string, string | null>
    /** Who closed it, when it was neither an attempt's end nor a person's command. */
    by?: 'agent' | 'source'
    /** It is blocked because another actor has taken it in its source. */
    taken?: true
    /** For the passes that follow, in a loop. */
    patterns?: string[]
    notes?: string
  }
  /** Of several attempts at a task, this one is to land. */
  'race.decided': { task: string; winner: number; losers: number[] }
  /**
   * New tests were run without the change: they fail there, or they prove nothing. `why`: the reason; absent when no
   * check shows that they fail there, nor that they ran.
   */
  'proof.given': { task: string; attempt: number; proved: boolean; files: string[]; why?: string }
  /** The attempt goes on with a fix of this failure. */
  'attempt.fixing': {
    task: string
    attempt: number
    fix: number
    failure: Failure
    base: string | null
    tree: string | null
  }
  /** The attempt is over without success; `next` is the rung of the ladder that follows. */
  'attempt.failed': { task: string; attempt: number; failure: Failure; next: Rung; tree?: string | null }
}
