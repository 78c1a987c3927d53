/** The events that end a task without a change of its own: one constructor per status. */
import type { Fact } from '../../model/event.ts'
import type { BlockKind } from '../../model/task.ts'

type Finished = Extract<Fact, { type: 'task.finished' }>
type Circumstances = Pick<Finished, 'question' | 'by' | 'taken'>

const ended = (
  task: string,
  outcome: Pick<Finished, 'status' | 'reason' | 'block'>,
  circumstances: Circumstances = {},
): Finished => ({
  type: 'task.finished',
  task,
  ...outcome,
  evidence: [],
  commit: null,
  summary: null,
  ...circumstances,
})

export const taskFailed = (task: string, reason: string): Finished =>
  ended(task, { status: 'failed', reason, block: null })

export const taskSplit = (task: string, reason: string): Finished =>
  ended(task, { status: 'split', reason, block: null })

export const taskCancelled = (task: string, reason: string, by?: Finished['by']): Finished =>
  ended(task, { status: 'cancelled', reason, block: null }, by ? { by } : {})

export const taskBlocked = (
  task: string,
  reason: string,
  block: BlockKind,
  circumstances: Circumstances = {},
): Finished => ended(task, { status: 'blocked', reason, block }, circumstances)

/** A person has done it elsewhere, so there is no evidence. */
export const taskDoneInSource = (task: string, reason: string): Finished =>
  ended(task, { status: 'done', reason, block: null }, { by: 'source' })
