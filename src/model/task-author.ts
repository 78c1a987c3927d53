/** The author of a task: a person's words can grant a permission, an agent's cannot. */
import type { TaskSpec } from './task.ts'

/** `planner`: an agent that plans for the goal. `agent`: one that found the task during other work. */
export type TaskAuthor = 'person' | 'planner' | 'agent'

export function authorOf({ origin, byAgent }: Pick<TaskSpec, 'byAgent'> & { origin: string }): TaskAuthor {
  if (origin === 'source') return byAgent ? 'planner' : 'person'
  if (origin.startsWith('command/')) return 'person'
  return /^(?:plan|backlog)\//.test(origin) ? 'planner' : 'agent'
}
