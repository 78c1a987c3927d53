/** What an agent did to its copy of a backlog, brought into the backlog itself, which others may have changed meanwhile. */
import { isObject } from '../../model/object.ts'
import { idsOf, readDocument } from './document.ts'
import { editDocument } from './edit.ts'
import type { Values } from './site.ts'

/**
 * `given` is what the agent was given, `copy` what it left, `current` what the file is now. Null when there is nothing to bring over.
 * Throws JsonProblem when what it left cannot be read. Tasks that it took out stay: whoever wants to be rid of one cancels it.
 */
export function takeOver(given: string, copy: string, current: string): string | null {
  if (copy === given) return null
  const [before, after] = [readDocument(given), readDocument(copy)]
  if (current === given && after.tasks.length >= before.tasks.length) return copy
  const now = readDocument(current)
  const [known, there] = [idsOf(before.tasks), idsOf(now.tasks)]
  const tasks = new Map<number, Values>()
  const added: Values[] = []
  for (const task of after.tasks) {
    if (!isObject(task)) continue
    const id = String(task['id'])
    const place = there.get(id)
    const old = before.tasks[known.get(id) ?? -1]
    if (place === undefined) {
      if (!known.has(id)) added.push(task as Values)
      continue
    }
    const changes = Object.entries(task).filter(([key, value]) => !isObject(old) || JSON.stringify(old[key]) !== JSON.stringify(value))
    if (changes.length > 0) tasks.set(place, Object.fromEntries(changes) as Values)
  }
  if (tasks.size + added.length === 0) return null
  const edited = editDocument(now, { tasks, added, root: {} })
  return edited.mark + edited.text
}
