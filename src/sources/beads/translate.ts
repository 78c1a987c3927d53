/** Translates beads issues into tasks, and Looper's updates into notes and close reasons. */
import type { SourceStatus, SourceTask, SourceUpdate } from '../../model/source.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { BeadsIssue } from './issue.ts'

/** Prefix of the note lines that Looper wrote; all other lines are part of the task. */
const ownLine = '[looper] '
const cancelledWord = 'Cancelled: '
const longestNote = 2_000
/** Issue types that are not work: conversations, gates and markers. */
const notWork = ['gate', 'message', 'event', 'agent', 'role', 'rig']

export const isWork = ({ status, type }: BeadsIssue): boolean =>
  status !== 'tombstone' && status !== 'pinned' && !notWork.includes(type)

/**
 * Keeps the order of the issues. `ready`: the ids that bd reports as ready; null when bd was not asked. Dependencies on
 * issues outside this list are left to bd: it does not report an issue as ready while it waits for them.
 */
export function toTasks(
  issues: readonly BeadsIssue[],
  ready: ReadonlySet<string> | null,
  nameOf: (issue: BeadsIssue) => string,
): SourceTask[] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  const children = new Map<string, string[]>()
  for (const { id, parent } of issues) if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), id])
  return issues.map((issue) => {
    // An epic is done when all of its children are.
    const before = [...new Set([...issue.blockers, ...(children.get(issue.id) ?? [])])].filter((id) => id !== issue.id)
    const known = before.flatMap((id) => byId.get(id) ?? [])
    const waits = known.some(({ status }) => status !== 'closed')
    const outside = before.filter((id) => !byId.has(id))
    return {
      ...toTask(issue, nameOf(issue)),
      dependsOn: known.map(nameOf),
      ...whenHeldUp(issue, waits || ready === null || ready.has(issue.id), outside),
    }
  })
}

function whenHeldUp({ status }: BeadsIssue, isFree: boolean, outside: readonly string[]): Partial<SourceTask> {
  if (status !== 'open' || isFree) return {}
  return {
    status: 'blocked',
    reason: outside.length > 0 ? `waits for ${outside.join(', ')}` : 'bd does not offer it as ready',
  }
}

/** Translates one issue, without its dependencies. */
export function toTask(issue: BeadsIssue, id: string): SourceTask {
  const [theirs, ours] = splitNotes(issue.notes)
  const parts = [issue.description, issue.design && `Design:\n${issue.design}`, theirs && `Notes:\n${theirs}`]
  return {
    id,
    title: issue.title,
    description: parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n\n'),
    dependsOn: [],
    criteria: linesOf(issue.acceptance),
    files: issue.files,
    type: issue.type,
    priority: issue.priority,
    ...issue.author,
    ...standing(issue, ours),
  }
}

function standing(issue: BeadsIssue, ours: string): { status: SourceStatus; reason: string | null } {
  switch (issue.status) {
    case 'open':
      return { status: 'todo', reason: null }
    case 'in_progress':
    case 'hooked':
      return { status: 'doing', reason: null }
    case 'blocked':
      return { status: 'blocked', reason: ours || null }
    case 'deferred':
      return { status: 'blocked', reason: issue.deferUntil ? `deferred until ${issue.deferUntil}` : 'deferred' }
    case 'closed':
      return issue.closeReason.startsWith(cancelledWord)
        ? { status: 'cancelled', reason: issue.closeReason.slice(cancelledWord.length) }
        : { status: 'done', reason: null }
    default:
      return { status: 'blocked', reason: `its status there is ${issue.status}` }
  }
}

function splitNotes(notes: string): [theirs: string, ours: string] {
  const lines = notes.split(/\r?\n/)
  return [
    lines.filter((line) => !line.startsWith(ownLine)).join('\n'),
    lines.findLast((line) => line.startsWith(ownLine))?.slice(ownLine.length) ?? '',
  ]
}

/** Splits a list into lines, with or without bullets, numbers and check boxes. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])?\s*(?:\[[ xX]\])?\s*/, '').trim())
    .filter(Boolean)

/** Returns null when there is no reason, or the last note already states it. */
export function noteFor(issue: BeadsIssue, { reason }: SourceUpdate): string | null {
  const said = reason === null ? '' : plain(reason).slice(0, longestNote)
  return said === '' || splitNotes(issue.notes)[1] === said ? null : ownLine + said
}

export function closeReasonFor({ status, reason, summary }: SourceUpdate): string {
  const said = plain(summary ?? reason ?? '').slice(0, longestNote)
  return status === 'cancelled'
    ? cancelledWord + (plain(reason ?? '').slice(0, longestNote) || said || 'not needed')
    : said || 'Done'
}

export const statusWord = { todo: 'open', doing: 'in_progress', blocked: 'blocked' } as const
