/** Attempts at one task that run in parallel (a race). */
import type { AttemptState, TaskState } from '../model/state.ts'

export const attemptOf = (task: TaskState | undefined, n: number): AttemptState | undefined =>
  [task?.attempt, ...(task?.rivals ?? [])].find((attempt) => attempt?.n === n) ?? undefined

/**
 * An attempt with a lane races against the attempt under way; when none is under way, it is the task's main attempt.
 */
export const isRival = ({ attempt }: TaskState, lane: number | undefined): boolean =>
  lane !== undefined && attempt !== null

/** Removes one attempt from the race; the others continue. */
export function leaveRace(task: TaskState, n: number): void {
  const [first = null, ...others] = [task.attempt, ...(task.rivals ?? [])].filter(
    (attempt) => attempt !== null && attempt.n !== n,
  )
  task.attempt = first
  task.rivals = others.filter((attempt) => attempt !== null)
}
