/** Tasks that wait for an answer. */
import type { Question } from '../model/event.ts'
import type { TaskState } from '../model/state.ts'

export const waitsFor = (question: string): string => `waiting for an answer to ${question}`

/** Whether the task was parked with this question: asked by its planner, its last attempt, or the monitor. */
export const isParkedBy = ({ id, attempts, reason }: TaskState, question: Pick<Question, 'id' | 'origin'>): boolean =>
  question.origin.startsWith(attempts === 0 ? 'plan/' : `${id}/a${attempts}/`) || reason === waitsFor(question.id)
