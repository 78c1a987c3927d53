/** Tasks: nodes of the plan graph. */

import type { blockKinds, taskComplexities } from './vocabulary.ts'

export type Complexity = (typeof taskComplexities)[number]

/** What keeps a blocked task from going on. */
export type BlockKind = (typeof blockKinds)[number]

export type TaskStatus = 'todo' | 'doing' | 'done' | 'failed' | 'blocked' | 'split' | 'cancelled'

/** What a planner, a coder or a person asks for; ids are already safe and unique. */
export interface TaskSpec {
  id: string
  title: string
  description: string
  complexity: Complexity
  type: string | null
  dependsOn: string[]
  criteria: string[]
  /** Plain commands or names of configured checks, on top of the checks every task has. */
  checks: string[]
  files: string[]
  /** Names of checks that are red and that it is to fix. */
  repairs?: string[]
  /**
   * What may be weakened on the way: `remove-tests`, `skip-tests`, `change-checks`, `lower-thresholds`, each with an
   * optional `:glob`.
   */
  allows?: string[]
  /** An agent wrote it, although it comes from the task source. */
  byAgent?: true
  /** Lower is sooner; ties go by the order in which tasks were added. */
  priority: number
  /** The task this one was split from or discovered by. */
  parent: string | null
  depth: number
}

/** How a task stood in its source when the run came to know it; absent: waiting to be done. */
export interface Was {
  status: 'doing' | 'done' | 'blocked' | 'cancelled'
  reason: string | null
}

/** What a person may change of a task while it waits. */
export type TaskEdit = Partial<
  Pick<
    TaskSpec,
    'title' | 'description' | 'type' | 'dependsOn' | 'criteria' | 'files' | 'priority' | 'repairs' | 'allows'
  >
>

/** One check that Looper ran and saw green on the tree that landed. */
export interface Evidence {
  check: string
  exitCode: number
  tree: string | null
  durationMs: number
  /** It passed in some of several runs on that tree only. */
  flaky?: true
  /** It is red as it was on the base, and nothing else is red. */
  noWorse?: true
  /** Held out from agents. */
  hidden?: true
}

/** The one that lays the ground; tasks of a plan are numbered from 1. */
export const scaffoldTask = 'T000'

/** Nothing an agent says may make a plan grow without end. */
export const mostTasks = 10_000
