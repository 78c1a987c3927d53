/** The author of a task: a person's words can grant a permission, an agent's cannot. */
import type { TaskSpec } from './task.ts'
import { authorOfOrigin } from './work-id.ts'

/** `planner`: an agent that plans for the goal. `agent`: one that found the task during other work. */
export type TaskAuthor = 'person' | 'planner' | 'agent'

export const authorOf = ({ origin, byAgent }: Pick<TaskSpec, 'byAgent'> & { origin: string }): TaskAuthor =>
  authorOfOrigin(origin) ?? (byAgent ? 'planner' : 'person')
