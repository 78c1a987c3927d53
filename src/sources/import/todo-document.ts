/** Imports another backlog in the format of to-do.json. */
import { at, isObject, nameAt, textAt, textsAt, type JsonObject } from '../json-value.ts'
import { statusOf } from '../status-words.ts'
import { toSource } from '../todo-file/task.ts'
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

function taskOf(record: JsonObject, index: number, notes: string[]): ImportedTask | null {
  const [id, title, word] = [nameAt(record, 'id'), textAt(record, 'title').trim(), textAt(record, 'status') || 'todo']
  if (title === '') return null
  const status = statusOf(word)
  if (status === null) notes.push(`${id || title}: its status "${word}" is unknown: imported as todo`)
  const task = toSource({ ...record, status: status ?? 'todo' })
  return importedTask({ ...task, id: id || `#${index + 1}`, named: id !== '', title, tags: textsAt(record, 'tags') })
}
