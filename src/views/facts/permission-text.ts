/** What a task may weaken, and who permits it. Every permission must be visible. */
import type { TaskState } from '../../model/state.ts'
import { authorOf } from '../../model/task-author.ts'
import { plain } from '../text/plain-text.ts'

type Permitted = Pick<TaskState, 'origin' | 'allows' | 'byAgent' | 'granted'>

/** Empty for a task without permissions. */
export function permissionText(task: Permitted): string {
  const { allows = [], granted = [] } = task
  const by = authorOf(task) === 'person' ? '' : ' (by the planner)'
  return [
    ...(allows.length > 0 ? [`allows ${plain(allows.join(', '), 160)}${by}`] : []),
    ...(granted.length > 0 ? [`allows ${plain(granted.join(', '), 160)} (by your answer)`] : []),
  ].join(', ')
}
