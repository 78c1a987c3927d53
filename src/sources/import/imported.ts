/** What is read out of another program's file. */
import type { SourceTask } from '../../model/source.ts'

export interface ImportedTask extends SourceTask {
  /** Whether the id is the file's own. Otherwise it only tells the tasks of one file apart. */
  named: boolean
  /** The task that this one is a part of. */
  parent: string | null
  tags: string[]
}

export interface Reading {
  tasks: ImportedTask[]
  /** What could not be carried over. */
  notes: string[]
}

/** In the middle of the usual 1 to 5. */
const usualPriority = 3

export const importedTask = (task: Pick<ImportedTask, 'id' | 'title'> & Partial<ImportedTask>): ImportedTask => ({
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: usualPriority,
  status: 'todo',
  reason: null,
  named: true,
  parent: null,
  tags: [],
  ...task,
})

const longestTitle = 120

/** Long texts serve as titles, too: then the title is how they begin, and the description has all of it. */
export function titled(text: string): { title: string; description: string } {
  const [first = ''] = text.trim().split(/\r?\n/)
  const title = first.length > longestTitle ? `${first.slice(0, longestTitle - 1).trimEnd()}…` : first
  return { title, description: title === text.trim() ? '' : text.trim() }
}

/** Drops what is not among the tasks, with a word about it. */
export function withKnownDependencies({ tasks, notes }: Reading): Reading {
  const known = new Set(tasks.map(({ id }) => id))
  const missing: string[] = []
  const kept = tasks.map((task) => {
    const lost = task.dependsOn.filter((id) => !known.has(id))
    if (lost.length > 0)
      missing.push(`${task.id} does not wait for ${lost.join(', ')} any more, which is not among the tasks`)
    return { ...task, dependsOn: [...new Set(task.dependsOn)].filter((id) => known.has(id) && id !== task.id) }
  })
  return { tasks: kept, notes: [...notes, ...missing] }
}

/** Of two tasks with one id the second gets another. */
export function distinct({ tasks, notes }: Reading): Reading {
  const seen = new Set<string>()
  const twice: string[] = []
  const told = tasks.map((task, index) => {
    const isNew = !seen.has(task.id)
    seen.add(task.id)
    if (isNew) return task
    twice.push(`${task.id} is the id of two tasks: "${task.title}" gets another`)
    return { ...task, id: `#again${index + 1}`, named: false }
  })
  return { tasks: told, notes: [...notes, ...twice] }
}
