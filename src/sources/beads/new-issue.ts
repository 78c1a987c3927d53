/** Translates a task into the options of `bd create`. */
import type { SourceTask } from '../../model/source.ts'
import { authorMetadata } from '../stated-author.ts'

const priorities = { highest: 0, lowest: 4 }
const kinds = ['bug', 'feature', 'task', 'epic', 'chore', 'decision']
/** bd refuses longer titles. */
const longestTitle = 500

/** `blockers`: ids of issues that have to be closed first. */
export function optionsForNew(
  task: SourceTask,
  about: { ref: string; label: string | null; blockers: readonly string[] },
): string[] {
  const { files } = task
  const option = (name: string, value: string): string[] => (value === '' ? [] : [`--${name}=${value}`])
  return [
    ...option('title', task.title.slice(0, longestTitle)),
    ...option('type', task.type !== null && kinds.includes(task.type) ? task.type : 'task'),
    ...option('priority', String(Math.max(priorities.highest, Math.min(priorities.lowest, Math.round(task.priority))))),
    ...option('external-ref', about.ref),
    ...option('labels', about.label ?? ''),
    ...option('description', task.description),
    ...option('acceptance', task.criteria.map((line) => `- ${line}`).join('\n')),
    ...option('metadata', JSON.stringify({ ...(files.length > 0 ? { files } : {}), ...authorMetadata(task) })),
    ...option('deps', about.blockers.join(',')),
  ]
}
