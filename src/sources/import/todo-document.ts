/** Another backlog in the form of to-do.json. */
import { at, isObject, nameAt, numberAt, textAt, textsAt } from '../json-value.ts'
import { statusOf } from '../status-words.ts'
import { importedTask, withKnownDependencies, type ImportedTask, type Reading } from './imported.ts'

export const isTodoDocument = (value: unknown): boolean => {
  const tasks = at(value, 'tasks')
  return Array.isArray(tasks) && (tasks.length === 0 || tasks.some((task) => textAt(task, 'title') !== ''))
}

export function readTodoDocument(value: unknown): Reading {
  const notes: string[] = []
  const tasks = (at(value, 'tasks') as unknown[]).flatMap((record, index): ImportedTask[] => {
    const task = isObject(record) ? taskOf(record, index, notes) : null
    if (task === null) notes.push(`number ${index + 1} is not a task: it needs a title`)
    return task === null ? [] : [task]
  })
  return withKnownDependencies({ tasks, notes })
}

function taskOf(record: Record<string, unknown>, index: number, notes: string[]): ImportedTask | null {
  const [id, title, word] = [nameAt(record, 'id'), textAt(record, 'title').trim(), textAt(record, 'status') || 'todo']
  if (title === '') return null
  const status = statusOf(word)
  if (status === null) notes.push(`${id || title}: its status "${word}" is not known: taken as todo`)
  const reason = status === 'blocked' ? textsAt(record, 'blockers').join('; ') || textAt(record, 'reason') : status === 'cancelled' ? textAt(record, 'reason') : ''
  return importedTask({
    id: id || `#${index + 1}`, named: id !== '', title, description: descriptionOf(record), status: status ?? 'todo', reason: reason || null,
    priority: numberAt(record, 'priority') ?? 3, dependsOn: textsAt(record, 'depends_on'), criteria: textsAt(record, 'criteria'), files: textsAt(record, 'files'),
    type: textAt(record, 'type') || null, tags: textsAt(record, 'tags'),
  })
}

function descriptionOf(record: Record<string, unknown>): string {
  const steps = textsAt(record, 'steps').map((step, index) => `${index + 1}. ${step}`)
  const reference = textAt(record, 'reference').trim()
  const parts = [textAt(record, 'description'), textAt(record, 'details'), steps.length > 0 ? `Steps:\n${steps.join('\n')}` : '', reference && `See: ${reference}`]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}
