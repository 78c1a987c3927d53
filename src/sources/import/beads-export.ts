/** Imports beads issues: an export with one record per line, or the output of `bd list --json`. */
import { readIssue, type BeadsIssue } from '../beads/issue.ts'
import { isWork, toTasks } from '../beads/translate.ts'
import { nameAt, textAt } from '../json-value.ts'
import { importedTask, type Reading } from './imported.ts'

export const isBeadsIssue = (value: unknown): boolean =>
  textAt(value, 'title') !== ''
  && nameAt(value, 'id') !== ''
  && (textAt(value, 'issue_type') !== '' || textAt(value, 'created_at') !== '')

/** Exports contain other records as well; `_type` distinguishes them. */
export const isBeadsRecord = (value: unknown): boolean =>
  ['issue', 'memory'].includes(textAt(value, '_type')) || isBeadsIssue(value)

/** beads counts priorities from 0 to 4, Looper from 1 to 5. */
const priorityOf = (there: number): number => there + 1

/** `label`: import only issues with this label. */
export function readBeadsIssues(values: readonly unknown[], label: string | null): Reading {
  const notes: string[] = []
  const read = values.flatMap((value, index) => {
    const issue = readIssue(value)
    if (issue === null && textAt(value, '_type') !== 'memory')
      notes.push(`number ${index + 1} is not an issue that can be used`)
    return issue === null ? [] : [issue]
  })
  const memories = values.filter((value) => textAt(value, '_type') === 'memory').length
  if (memories > 0) notes.push(`${memories} memories are not carried over`)
  const issues = read.filter((issue) => isWork(issue) && (label === null || issue.labels.includes(label)))
  const left = read.length - issues.length
  const unlabelled = label === null ? '' : `, or without the label ${label}`
  if (left > 0) notes.push(`${left} issues are left out: deleted, pinned, no work${unlabelled}`)
  const { tasks, notes: more } = importIssues(issues)
  return { tasks, notes: [...notes, ...more] }
}

export function importIssues(issues: readonly BeadsIssue[]): Reading {
  const known = new Set(issues.map(({ id }) => id))
  const notes = issues.flatMap(({ id, blockers, status }) => {
    const outside = blockers.filter((blocker) => !known.has(blocker))
    const waitsNoMore = `${id} no longer waits for ${outside.join(', ')}, which is not among the tasks`
    return status === 'closed' || outside.length === 0 ? [] : [waitsNoMore]
  })
  const tasks = toTasks(issues, null, ({ id }) => id).map((task, index) => {
    const issue = issues[index]
    return importedTask({
      ...task,
      priority: priorityOf(task.priority),
      parent: issue?.parent ?? null,
      tags: issue?.labels ?? [],
    })
  })
  return { tasks, notes }
}
