/** Whether a task comes from the split of another one. */
import type { RunState } from '../../model/state.ts'

export function isPartOf(tasks: RunState['tasks'], part: string, whole: string): boolean {
  for (let id = tasks[part]?.parent ?? null; id !== null; id = tasks[id]?.parent ?? null) if (id === whole) return true
  return false
}
