/** Who wrote a task: the words of a person can permit something, those of an agent cannot. */
import type { TaskSpec } from './task.ts'

/** `planner`: an agent that plans for the goal. `agent`: one that found the task while it worked on another. */
export type TaskAuthor = 'person' | 'planner' | 'agent'

export function authorOf({ origin, byAgent }: Pick<TaskSpec, 'byAgent'> & { origin: string }): TaskAuthor {
  if (origin === 'source') return byAgent ? 'planner' : 'person'
  if (origin.startsWith('command/')) return 'person'
  return /^(?:plan|backlog)\//.test(origin) ? 'planner' : 'agent'
}
