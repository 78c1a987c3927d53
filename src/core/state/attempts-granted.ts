/** How many attempts a task gets when it is reopened. */
import type { Event } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { isParkedBy } from '../questions/parking.ts'

/** A person's answer grants a new attempt. A default answer does not; otherwise an agent could ask forever. */
export function attemptsGranted(state: RunState, task: TaskState, why: Event<'task.reopened'>['why']): number {
  const most = state.config.limits.attempts ?? Number.MAX_SAFE_INTEGER
  if (why === 'resumed' || why === 'asked' || why === 'source') return most
  if (why === 'goal-iteration') return Math.min(1, most)
  if (why !== 'answered') return 0
  return state.questions.some(
    (asked) => asked.by === 'person' && asked.blocks.includes(task.id) && isParkedBy(task, asked),
  )
    ? 1
    : 0
}
