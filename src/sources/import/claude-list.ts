/** Imports tasks of Claude Code: the files of a task list, or the older to-do lists of a session. */
import { at, isObject, nameAt, textAt } from '../json-value.ts'
import { statusOf } from '../status-words.ts'
import { readTaskFile, toTask } from '../claude-tasks/task-file.ts'
import { importedTask, titled, withKnownDependencies, type Reading } from './imported.ts'

export const isClaudeTask = (value: unknown): boolean =>
  textAt(value, 'subject') !== '' && textAt(value, 'status') !== ''
export const isClaudeTodo = (value: unknown): boolean =>
  textAt(value, 'content') !== '' && textAt(value, 'status') !== ''

export function readClaudeTasks(values: readonly unknown[]): Reading {
  const notes: string[] = []
  const files = values.flatMap((value, index) => {
    const file = readTaskFile(nameAt(value, 'id') || String(index + 1), value)
    if (file === null) notes.push(`number ${index + 1} is not a task: it needs a subject and a known status`)
    return file === null || textAt(value, 'status') === 'deleted' ? [] : [file]
  })
  const there = new Set(files.map(({ id }) => id))
  const tasks = files.map((file) => {
    const wave = at(at(file.content, 'metadata'), 'wave')
    return importedTask({
      ...toTask(
        file,
        file.blockedBy.filter((id) => there.has(id)),
      ),
      id: file.id,
      tags: typeof wave === 'number' ? [`wave-${wave}`] : [],
    })
  })
  return withKnownDependencies({ tasks, notes })
}

/** These entries have no ids of their own. */
export function readClaudeTodos(values: readonly unknown[]): Reading {
  const notes: string[] = []
  const tasks = values.flatMap((value, index) => {
    if (!isObject(value) || !isClaudeTodo(value)) return []
    const status = statusOf(textAt(value, 'status'))
    if (status === null)
      notes.push(`number ${index + 1}: its status "${textAt(value, 'status')}" is unknown: imported as todo`)
    return [
      importedTask({
        id: `#${index + 1}`,
        named: false,
        ...titled(textAt(value, 'content')),
        status: status ?? 'todo',
      }),
    ]
  })
  return { tasks, notes }
}
