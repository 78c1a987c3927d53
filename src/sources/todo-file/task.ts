/** Translates a task between its form in the file and the form that all sources share. */
import type { SourceStatus, SourceTask, SourceUpdate } from '../../model/source.ts'
import { isObject } from '../../model/object.ts'
import { taskFields, type BacklogTask } from './fields.ts'
import type { Value, Values } from './site.ts'
import { isStatus, statusOf } from './status.ts'

/** Any fields with any values: every program can edit the file. */
export type FileTask = Readonly<Record<string, unknown>>

/** The middle of the usual range 1 to 5. */
const usualPriority = 3

export const toSource = (task: FileTask): SourceTask => ({ ...toRow(task), description: descriptionOf(task) })

/** Returns everything but the description, which only the coder reads. */
export function toRow(task: FileTask): Omit<SourceTask, 'description'> {
  const status = statusOf(task['status'])
  const { priority } = task
  return {
    id: textIn(task['id']),
    title: textIn(task['title']),
    status,
    priority: typeof priority === 'number' ? priority : usualPriority,
    dependsOn: textsIn(task['depends_on']),
    reason: reasonOf(task, status),
    type: textIn(task['type']) || null,
    criteria: textsIn(task['criteria']),
    files: textsIn(task['files']),
    ...(task['repairs'] === undefined ? {} : { repairs: textsIn(task['repairs']) }),
    ...(task['allows'] === undefined ? {} : { allows: textsIn(task['allows']) }),
    ...(task['added_by'] === 'agent' ? { byAgent: true } : {}),
  }
}

/** Whether the row of `toRow` represents the task faithfully. */
export const isListable = (task: unknown): task is FileTask =>
  isObject(task) && typeof task['id'] === 'string' && typeof task['title'] === 'string' && isStatus(task['status'])

const isText = (value: unknown): value is string => typeof value === 'string'
const textIn = (value: unknown): string => (isText(value) ? value : '')
const textsIn = (value: unknown): string[] =>
  !Array.isArray(value) ? [] : value.every(isText) ? value : value.filter(isText)

export const documentsIn = (root: Readonly<Record<string, unknown>>): string[] => textsIn(root['source_files'])

function descriptionOf(task: FileTask): string {
  const steps = textsIn(task['steps']).map((step, index) => `${index + 1}. ${step}`)
  const reference = textIn(task['reference'])
  const parts = [
    textIn(task['description']),
    textIn(task['details']),
    steps.length === 0 ? '' : `Steps:\n${steps.join('\n')}`,
    reference.trim() === '' ? '' : `See: ${reference}`,
  ]
  return parts.filter((part) => part.trim() !== '').join('\n\n')
}

/** Only blocked and cancelled tasks have a reason. */
function reasonOf(task: FileTask, status: SourceStatus): string | null {
  if (status !== 'blocked' && status !== 'cancelled') return null
  const blockers = status === 'blocked' ? textsIn(task['blockers']).join('; ') : ''
  return blockers || textIn(task['reason']) || null
}

/** Returns the fields of a new task in the order of the table, without empty ones. */
export function fromSource(task: SourceTask & { tags?: string[] }, at: string): Values {
  const { id, title, description, dependsOn, criteria, files, type, priority, status, reason, tags = [] } = task
  const fields: BacklogTask = {
    id,
    title,
    description,
    priority,
    status,
    criteria,
    tags,
    type,
    files,
    repairs: task.repairs,
    allows: task.allows,
    depends_on: dependsOn,
    added_by: task.byAgent ? 'agent' : null,
    created_at: at,
    updated_at: at,
    reason: status === 'cancelled' ? reason : null,
    blockers: status === 'blocked' && reason !== null ? [reason] : null,
  }
  const values: Readonly<Record<string, Value | undefined>> = fields
  return Object.fromEntries(
    Object.keys(taskFields).flatMap((name) => {
      const value = values[name] ?? null
      return value === null || value === '' || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]]
    }),
  )
}

/** Returns the fields that an update changes; none when the task already has them. */
export function fieldsOf(task: FileTask, { status, reason, summary, files, at }: SourceUpdate): Values {
  const before = statusOf(task['status'])
  const fields: Partial<BacklogTask> = {}
  if (before !== status) fields.status = status
  if (reason !== null && reason !== reasonOf(task, status)) {
    if (status === 'blocked') fields.blockers = [reason]
    if (status === 'cancelled') fields.reason = reason
  }
  // Blockers stay readable while a task is tried again, and are cleared when it is done. The blockers of a task that
  // was never started are notes of its owner, so they stay.
  if (status === 'done' && before !== 'todo' && before !== status && textsIn(task['blockers']).length > 0)
    fields.blockers = []
  if (summary !== null && summary !== task['summary']) fields.summary = summary
  const all = [...new Set([...textsIn(task['files']), ...files])]
  if (all.length > textsIn(task['files']).length) fields.files = all
  return Object.keys(fields).length === 0 ? {} : { ...fields, updated_at: at }
}
