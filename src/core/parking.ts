/** Tasks that wait for an answer. */
import type { Question } from '../model/event.ts'
import type { TaskState } from '../model/state.ts'
import { waitedFor } from '../model/waiting-reason.ts'
import { attemptId, isBelow } from '../model/work-id.ts'

/** Whether the task was parked with this question: asked by its planner, its last attempt, or the monitor. */
export const isParkedBy = ({ id, attempts, reason }: TaskState, question: Pick<Question, 'id' | 'origin'>): boolean =>
  isBelow(question.origin, attempts === 0 ? 'plan' : attemptId(id, attempts)) || waitedFor(reason) === question.id
