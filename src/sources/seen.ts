/** What a store told last, so that it can tell whether anybody but itself has changed anything since. */
import type { SourceTask } from '../model/source.ts'

export interface Seen {
  /** The store itself made this of a task. */
  expect(task: SourceTask): void
  /** The tasks, or null when they are as they were told or as the store made them. */
  news(tasks: SourceTask[]): SourceTask[] | null
}

export function createSeen(): Seen {
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
