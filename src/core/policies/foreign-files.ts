/** Whether a change is in the files of another task: its agent may have done that task instead of its own. */
import type { RunState, TaskState } from '../../model/state.ts'
import { overlap } from './file-overlap.ts'

const isDeclared = (path: string, { files }: TaskState): boolean => files.some((declared) => overlap(path, declared))

/** Bounds the time for a long backlog. */
const mostReady = 500

/**
 * The task, under way or ready, that declares files of the change, none of which its own task declares. When its own
 * task declares no files, the other one must declare all of them.
 */
export function ownerOfChange(state: RunState, own: TaskState, changed: readonly string[]): string | null {
  if (changed.length === 0 || changed.some((path) => isDeclared(path, own))) return null
  const others = [...state.active, ...state.ready.slice(0, mostReady)].filter((id) => id !== own.id)
  const isMatch = (task: TaskState): boolean =>
    own.files.length === 0
      ? changed.every((path) => isDeclared(path, task))
      : changed.some((path) => isDeclared(path, task))
  return others.find((id) => state.tasks[id] && isMatch(state.tasks[id])) ?? null
}
