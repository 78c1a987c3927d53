/** The tasks and notes that an import reads from a file of another program. */
import type { SourceTask } from '../../model/source.ts'

export interface ImportedTask extends SourceTask {
  /** Whether the id comes from the file. Otherwise it is generated and unique only within the file. */
  named: boolean
  /** The id of the task that this one is a subtask of. */
  parent: string | null
  tags: string[]
}

export interface Reading {
  tasks: ImportedTask[]
  /** Reports what could not be imported. */
  notes: string[]
}

/** The middle of the usual range 1 to 5. */
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

/** Shortens a long text to a title; the description then has the full text. */
export function titled(text: string): { title: string; description: string } {
  const [first = ''] = text.trim().split(/\r?\n/)
  const title = first.length > longestTitle ? `${first.slice(0, longestTitle - 1).trimEnd()}…` : first
  return { title, description: title === text.trim() ? '' : text.trim() }
}

/** Removes dependencies on unknown tasks, and adds a note for each task that loses one. */
export function withKnownDependencies({ tasks, notes }: Reading): Reading {
  const known = new Set(tasks.map(({ id }) => id))
  const missing: string[] = []
  const kept = tasks.map((task) => {
    const lost = task.dependsOn.filter((id) => !known.has(id))
    if (lost.length > 0) missing.push(`${task.id} no longer waits for ${lost.join(', ')}, which is not among the tasks`)
    return { ...task, dependsOn: [...new Set(task.dependsOn)].filter((id) => known.has(id) && id !== task.id) }
  })
  return { tasks: kept, notes: [...notes, ...missing] }
}

/** Gives a task another id when an earlier task has the same one. */
export function distinct({ tasks, notes }: Reading): Reading {
  const seen = new Set<string>()
  const twice: string[] = []
  const imported = tasks.map((task, index) => {
    const isNew = !seen.has(task.id)
    seen.add(task.id)
    if (isNew) return task
    twice.push(`${task.id} is the id of two tasks: "${task.title}" gets another`)
    return { ...task, id: `#again${index + 1}`, named: false }
  })
  return { tasks: imported, notes: [...notes, ...twice] }
}
