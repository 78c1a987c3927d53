/**
 * Translates one file of a Claude Code task list into a task, and updates back into the file. Claude Code has only the
 * statuses pending, in_progress and completed, and preserves only its own fields and `metadata`: everything else that
 * Looper stores is under `metadata.looper`, and is ignored when it contradicts the status.
 */
import type { SourceStatus, SourceTask, SourceUpdate } from '../../model/source.ts'
import { at, isObject, numberAt, textAt, textsAt, type JsonObject } from '../json-value.ts'
import { authorFields, authorMetadata } from '../stated-author.ts'
import { statusOf } from '../status-words.ts'

export interface TaskFile {
  /** The name of the file, by which Claude Code identifies the task. */
  id: string
  status: SourceStatus
  owner: string
  blockedBy: string[]
  content: JsonObject
}

const usualPriority = 3

/** Returns null when the content is not a task, or its status is unknown. */
export function readTaskFile(id: string, content: unknown): TaskFile | null {
  const status = statusOf(textAt(content, 'status'))
  if (!isObject(content) || status === null || textAt(content, 'subject').trim() === '') return null
  return { id, status, owner: textAt(content, 'owner'), blockedBy: textsAt(content, 'blockedBy'), content }
}

const ownPart = (content: JsonObject): JsonObject => {
  const part = at(at(content, 'metadata'), 'looper')
  return isObject(part) ? part : {}
}

/** Returns the name that Looper gave the task when it added it; otherwise the number that Claude Code assigned. */
export const nameOf = ({ id, content }: TaskFile): string => textAt(ownPart(content), 'id') || id

export function toTask(file: TaskFile, dependsOn: string[]): SourceTask {
  const { content } = file
  const [own, metadata] = [ownPart(content), at(content, 'metadata')]
  const from = (key: string): string[] => (textsAt(own, key).length > 0 ? textsAt(own, key) : textsAt(metadata, key))
  return {
    id: nameOf(file),
    title: textAt(content, 'subject').trim(),
    description: textAt(content, 'description').trim(),
    dependsOn,
    criteria: from('criteria'),
    files: from('files'),
    type: textAt(own, 'type') || textAt(metadata, 'type') || null,
    priority: numberAt(own, 'priority') ?? numberAt(metadata, 'priority') ?? usualPriority,
    ...authorFields(textAt(own, 'added_by') === '' ? metadata : own),
    ...standing(file, own),
  }
}

function standing({ status }: TaskFile, own: JsonObject): { status: SourceStatus; reason: string | null } {
  const [said, reason] = [textAt(own, 'status'), textAt(own, 'reason') || null]
  if (status === 'todo' && said === 'blocked') return { status: 'blocked', reason }
  return status === 'done' && said === 'cancelled' ? { status: 'cancelled', reason } : { status, reason: null }
}

const words = {
  todo: 'pending',
  doing: 'in_progress',
  done: 'completed',
  blocked: 'pending',
  cancelled: 'completed',
} as const

/** Returns the new content; the same object when nothing changes. */
export function changed(
  { content, owner }: TaskFile,
  change: Omit<SourceUpdate, 'at'>,
  by: string | null = null,
): JsonObject {
  const { status, reason, summary, files } = change
  const own = {
    ...ownPart(content),
    status: status === 'blocked' || status === 'cancelled' ? status : undefined,
    reason: reason ?? undefined,
    ...(summary === null ? {} : { summary }),
    ...(files.length === 0 ? {} : { changed: files }),
  }
  // An open task that is not in progress has no owner; a done task keeps its owner.
  const newOwner = status === 'todo' || status === 'blocked' ? '' : (by ?? owner)
  const { owner: _, ...rest } = content
  const next = withOwnPart(
    { ...(newOwner === '' ? rest : { ...content, owner: newOwner }), status: words[status] },
    own,
  )
  return JSON.stringify(next) === JSON.stringify(content) ? content : next
}

function withOwnPart(content: JsonObject, own: JsonObject): JsonObject {
  const kept = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const metadata = { ...(isObject(content['metadata']) ? content['metadata'] : {}), looper: kept }
  if (Object.keys(kept).length > 0) return { ...content, metadata }
  const { looper: _, ...others } = metadata
  const { metadata: before, ...rest } = content
  return Object.keys(others).length > 0 || (isObject(before) && !Object.hasOwn(before, 'looper'))
    ? { ...content, metadata: others }
    : rest
}

/** Returns the content of the file for a task that Looper found. */
export function newContent(id: string, task: SourceTask, blockedBy: string[]): JsonObject {
  const { criteria, files, type, priority } = task
  const own = {
    id: task.id === id ? undefined : task.id,
    criteria: orNone(criteria),
    files: orNone(files),
    type: type ?? undefined,
    priority,
    ...authorMetadata(task),
  }
  // Some versions of Claude Code show only tasks with an `activeForm`.
  const content = {
    id,
    subject: task.title,
    description: task.description,
    activeForm: task.title,
    status: 'pending',
    blocks: [],
    blockedBy,
  }
  return withOwnPart(content, own)
}

const orNone = (list: string[]): string[] | undefined => (list.length === 0 ? undefined : list)
