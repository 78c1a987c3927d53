/** Tasks that wait for an answer. */
import type { Question } from '../../model/event.ts'
import type { TaskState } from '../../model/state.ts'
import { attemptId, isBelow } from '../../model/work-id.ts'

/** Whether the task is parked on this question. The planner, the task's last attempt or the monitor asked it. */
export const isParkedBy = (task: TaskState, { id, origin }: Pick<Question, 'id' | 'origin'>): boolean =>
  isBelow(origin, task.attempts === 0 ? 'plan' : attemptId(task.id, task.attempts)) || task.question === id
