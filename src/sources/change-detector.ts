/** Remembers the tasks that a store last returned, to detect changes that the store did not make itself. */
import type { SourceTask } from '../model/source.ts'

export interface ChangeDetector {
  /** Records a change that the store itself made to a task. */
  expect(task: SourceTask): void
  /** Returns the tasks, or null when they are as last returned or as the store itself changed them. */
  news(tasks: SourceTask[]): SourceTask[] | null
}

export function createChangeDetector(): ChangeDetector {
  let known: Map<string, string> | null = null
  return {
    expect(task) {
      known?.set(task.id, JSON.stringify(task))
    },
    news(tasks) {
      const now = new Map(tasks.map((task) => [task.id, JSON.stringify(task)]))
      const same = known !== null && known.size === now.size && [...now].every(([id, text]) => known?.get(id) === text)
      known = now
      return same ? null : tasks
    },
  }
}
