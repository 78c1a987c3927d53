/** Tasks that wait for an answer. */
import type { Question } from '../model/event.ts'
import type { TaskState } from '../model/state.ts'
import { waitedFor } from '../model/waiting-reason.ts'
import { attemptId, isBelow } from '../model/work-id.ts'

/** Whether the task is parked on this question. The planner, the task's last attempt or the monitor asked it. */
export const isParkedBy = ({ id, attempts, reason }: TaskState, question: Pick<Question, 'id' | 'origin'>): boolean =>
  isBelow(question.origin, attempts === 0 ? 'plan' : attemptId(id, attempts)) || waitedFor(reason) === question.id
