/** Task sources: where tasks come from and where their status is mirrored, in Looper's own terms. */

export const sourceKinds = ['todo-file', 'beads', 'claude-tasks'] as const
export type SourceKind = (typeof sourceKinds)[number]

const sourceNames: Record<Exclude<SourceKind, 'todo-file'>, string> = {
  beads: 'beads',
  'claude-tasks': 'the task list of Claude Code',
}

/** The name of a source for people: `backlog` is that of the file. */
export const nameSource = (source: SourceKind, backlog: string): string =>
  source === 'todo-file' ? backlog : sourceNames[source]

/** The default goal of a backlog run. */
export function usualGoal({ source, backlog }: { source: SourceKind; backlog: string }): string {
  const goals: Record<SourceKind, string> = {
    'todo-file': backlog,
    beads: 'the issues of beads',
    'claude-tasks': 'a task list of Claude Code',
  }
  return `Work through ${goals[source]}`
}

export const sourceStatuses = ['todo', 'doing', 'done', 'blocked', 'cancelled'] as const
export type SourceStatus = (typeof sourceStatuses)[number]

/** A task as its source has it. Other fields of the source stay there unchanged. */
export interface SourceTask {
  /** The id in the source, unchanged. */
  id: string
  title: string
  /** Everything a coder should read: description, details, steps, references. */
  description: string
  dependsOn: string[]
  criteria: string[]
  files: string[]
  type: string | null
  /** As in `TaskSpec`; absent when the source has no such field. */
  repairs?: string[]
  allows?: string[]
  /** An agent wrote it. */
  byAgent?: true
  /** Lower is sooner. */
  priority: number
  status: SourceStatus
  /** Why the task is blocked or was cancelled. */
  reason: string | null
  /** Another actor works on the task or is assigned to it, so this run may not take it. */
  taken?: true
}

/** A status update that a run sends to the source. */
export interface SourceUpdate {
  status: SourceStatus
  reason: string | null
  /** What was done, in the coder's words. */
  summary: string | null
  files: string[]
  /** ISO time. */
  at: string
  /** This run closed the task and now reopens it. */
  again?: true
}

/**
 * A store of tasks. Every call is idempotent. Throws ENVIRONMENT_SOURCE when it cannot be reached and CONFIG_BACKLOG
 * when its content cannot be parsed.
 */
export interface TaskStore {
  /** All tasks, in their order; null when only this store itself has changed anything since the last poll. */
  list(): Promise<SourceTask[] | null>
  /**
   * True when the task now belongs to this run; false when another actor has it or it is closed. Of concurrent callers,
   * exactly one succeeds.
   */
  claim(id: string, by: string, at: string): Promise<boolean>
  /** For open tasks: todo, doing, blocked. May be deferred until `settle`. */
  update(id: string, change: SourceUpdate): Promise<void>
  /** Done or cancelled. May be deferred until `settle`. */
  close(id: string, change: SourceUpdate): Promise<void>
  /** Adds a task that a run discovered. May be deferred until `settle`. */
  add(task: SourceTask, at: string): Promise<void>
  /** Resolves when all earlier updates are stored. */
  settle(): Promise<void>
  /** Whether the source was marked as complete at the last poll. */
  isComplete?(): boolean
  /** Files that the tasks come from, as the source names them, as of the last poll. */
  documents?(): string[]
  /** Marks the source as complete. May be deferred until `settle`. */
  complete?(by: string, at: string): Promise<void>
  /**
   * Writes these tasks: `bootstrap` into an empty source, `repair` in place of content that could not be parsed at the
   * last poll, which is kept as a copy. If another actor has written to the source since, does nothing.
   */
  replace?(tasks: readonly SourceTask[], at: string, why: 'bootstrap' | 'repair'): Promise<void>
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Orders ids by number where both have one, so that T2 sorts before T10. Total: only equal ids compare as 0. */
export function compareIds(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(j)]
    if (isDigit(x) && isDigit(y)) {
      const [start, other] = [pastZeros(a, i), pastZeros(b, j)]
      i = pastDigits(a, start)
      j = pastDigits(b, other)
      // Compares digits as text: an id may have more digits than a number can hold.
      const order = i - start - (j - other) || compareText(a.slice(start, i), b.slice(other, j))
      if (order !== 0) return order
    } else if (x === y) {
      i++
      j++
    } else return x - y
  }
  // T01 and T1 have the same number but are different ids.
  return a.length - i - (b.length - j) || compareText(a, b)
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function pastZeros(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === 48) at++
  return at
}

function pastDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}
