/** An issue as `bd` prints and exports it, reduced to the fields that Looper needs. All of it is untrusted. */
import type { SourceTask } from '../../model/source.ts'
import { authorFields } from '../stated-author.ts'
import { at, isObject, listAt, nameAt, numberAt, textAt, textsAt } from '../json-value.ts'

export interface BeadsIssue {
  id: string
  title: string
  description: string
  design: string
  notes: string
  acceptance: string
  status: string
  type: string
  priority: number
  assignee: string
  labels: string[]
  /** Issues that have to be closed first. */
  blockers: string[]
  parent: string | null
  closeReason: string
  deferUntil: string
  externalRef: string
  files: string[]
  author: Pick<SourceTask, 'byAgent' | 'allows' | 'repairs'>
}

/** Ids become command arguments: none may start like an option. */
const safeId = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,199}$/u

export const isIssueId = (id: string): boolean => safeId.test(id)

export const isUnderWay = ({ status }: BeadsIssue): boolean => status === 'in_progress' || status === 'hooked'

const defaultPriority = 2
const blocking = ['blocks', 'conditional-blocks', 'waits-for']

/** Returns null when the value is not an issue, or its id cannot be used. */
export function readIssue(value: unknown): BeadsIssue | null {
  const [id, title] = [nameAt(value, 'id'), textAt(value, 'title').trim()]
  if (!isObject(value) || !isIssueId(id) || title === '') return null
  const edges = readEdges(value)
  return {
    id,
    title,
    description: textAt(value, 'description'),
    design: textAt(value, 'design'),
    notes: textAt(value, 'notes'),
    acceptance: textAt(value, 'acceptance_criteria'),
    status: textAt(value, 'status') || 'open',
    type: textAt(value, 'issue_type') || 'task',
    priority: numberAt(value, 'priority') ?? defaultPriority,
    assignee: textAt(value, 'assignee'),
    labels: textsAt(value, 'labels'),
    blockers: edges.filter(({ type }) => blocking.includes(type)).map(({ to }) => to),
    parent: edges.find(({ type }) => type === 'parent-child')?.to ?? (nameAt(value, 'parent') || null),
    closeReason: textAt(value, 'close_reason'),
    deferUntil: textAt(value, 'defer_until'),
    externalRef: textAt(value, 'external_ref'),
    files: textsAt(at(value, 'metadata'), 'files'),
    author: authorFields(at(value, 'metadata')),
  }
}

/** `bd list` and exports print dependencies as records, `bd show` as the issues they point to. */
function readEdges(value: unknown): { to: string; type: string }[] {
  return listAt(value, 'dependencies').flatMap((edge) => {
    const to = nameAt(edge, 'depends_on_id') || nameAt(edge, 'id')
    return isIssueId(to) ? [{ to, type: textAt(edge, 'type') || textAt(edge, 'dependency_type') || 'blocks' }] : []
  })
}
