/** A task source in the virtual world, and the access to that world that its stores need. */
import { LooperError } from '../model/error.ts'
import type { FileTask } from '../sources/todo-file/task.ts'

/** The content of the source, shared by all stores that open it. */
export interface SharedBacklog {
  tasks: FileTask[]
  root: Record<string, unknown>
  condition: 'whole' | 'broken' | 'missing'
  /** Increases with every change. */
  version: number
  isDown: boolean
}

/** The part of the world that a store needs. */
export interface Access {
  backlog: SharedBacklog
  /** Takes some time. Never resolves if the engine dies meanwhile. */
  pause(): Promise<void>
  /** Throws when the disk is full. */
  write(): void
  onClaim(task: string, ok: boolean): void
  onReplaced(): void
}

/** Throws while the source cannot be reached. */
export function reach({ isDown }: SharedBacklog): void {
  if (isDown) throw new LooperError('ENVIRONMENT_SOURCE', 'the virtual source is down')
}
