/** A place with tasks in the virtual world, and what its stores need of that world. */
import { LooperError } from '../model/error.ts'
import type { FileTask } from '../sources/todo-file/task.ts'

/** What is there, for whoever opens it. */
export interface Place {
  tasks: FileTask[]
  root: Record<string, unknown>
  condition: 'whole' | 'broken' | 'missing'
  /** Grows with every change. */
  version: number
  isDown: boolean
}

/** What a store needs of the world. */
export interface Access {
  place: Place
  /** Takes its time; whoever dies meanwhile never comes back. */
  pause(): Promise<void>
  /** Throws where a disk has no space left. */
  write(): void
  onClaim(task: string, ok: boolean): void
  onReplaced(): void
}

/** Throws while it cannot be reached. */
export function reach({ isDown }: Place): void {
  if (isDown) throw new LooperError('ENVIRONMENT_SOURCE', 'the virtual source is down')
}
