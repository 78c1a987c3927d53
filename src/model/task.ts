/** Tasks: nodes of the plan graph. */

import type { blockKinds, taskComplexities } from './vocabulary.ts'

export type Complexity = (typeof taskComplexities)[number]

/** What blocks a task. */
export type BlockKind = (typeof blockKinds)[number]

export type TaskStatus = 'todo' | 'doing' | 'done' | 'failed' | 'blocked' | 'split' | 'cancelled'

/** A task as a planner, a coder or a person specifies it. Ids are already safe and unique. */
export interface TaskSpec {
  id: string
  title: string
  description: string
  complexity: Complexity
  type: string | null
  dependsOn: string[]
  criteria: string[]
  /** Commands or names of configured checks, in addition to the checks of every task. */
  checks: string[]
  files: string[]
  /** Names of failing checks that the task is to fix. */
  repairs?: string[]
  /**
   * What the task may weaken: `remove-tests`, `skip-tests`, `change-checks`, `lower-thresholds`, each with an optional
   * `:glob`.
   */
  allows?: string[]
  /** An agent wrote it, although it comes from the task source. */
  byAgent?: true
  /** Lower is sooner; ties follow the order in which tasks were added. */
  priority: number
  /** The task that this one was split from or discovered by. */
  parent: string | null
  depth: number
}

/** The status of a task in its source when the run first saw it; absent: to do. */
export interface Was {
  status: 'doing' | 'done' | 'blocked' | 'cancelled'
  reason: string | null
}

/** Fields of a task that a person may change while it waits. */
export type TaskEdit = Partial<
  Pick<
    TaskSpec,
    'title' | 'description' | 'type' | 'dependsOn' | 'criteria' | 'files' | 'priority' | 'repairs' | 'allows'
  >
>

/** A check that Looper ran and that passed on the landed tree. */
export interface Evidence {
  check: string
  exitCode: number
  tree: string | null
  durationMs: number
  /** It passed in only some of several runs on that tree. */
  flaky?: true
  /** It fails as it did on the base, and nothing else fails. */
  noWorse?: true
  /** Hidden from agents. */
  hidden?: true
}

/** The task that sets up the project; tasks of a plan are numbered from 1. */
export const scaffoldTask = 'T000'

/** The origin of a task that Looper adds to repair a check of the base. */
export const repairOrigin = 'baseline'

/** Upper bound of a plan, so that agents cannot grow it without end. */
export const mostTasks = 10_000
