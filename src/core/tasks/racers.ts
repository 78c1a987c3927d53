/** Attempts at one task that run in parallel (a race). */
import type { AttemptState, TaskState } from '../../model/state.ts'

export const attemptOf = (task: TaskState | undefined, n: number): AttemptState | undefined =>
  [task?.attempt, ...(task?.racers ?? [])].find((attempt) => attempt?.n === n) ?? undefined

/**
 * An attempt with a number races against the attempt under way; when none is under way, it is the task's main attempt.
 */
export const joinsRace = ({ attempt }: TaskState, racer: number | undefined): boolean =>
  racer !== undefined && attempt !== null

/** Removes one attempt from the race; the others continue. */
export function leaveRace(task: TaskState, n: number): void {
  const [first = null, ...others] = [task.attempt, ...(task.racers ?? [])].filter(
    (attempt) => attempt !== null && attempt.n !== n,
  )
  task.attempt = first
  task.racers = others.filter((attempt) => attempt !== null)
}
