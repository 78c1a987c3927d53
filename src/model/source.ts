/** Where tasks come from and are mirrored to: what every source can tell and be told, in Looper's own words. */

export const sourceKinds = ['todo-file', 'beads', 'claude-tasks'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** What a run through a backlog is for when nobody says it. */
export function usualGoal({ source, backlog }: { source: SourceKind; backlog: string }): string {
  return `Work through ${source === 'beads' ? 'the issues of beads' : source === 'claude-tasks' ? 'a task list of Claude Code' : backlog}`
}

export const sourceStatuses = ['todo', 'doing', 'done', 'blocked', 'cancelled'] as const
export type SourceStatus = (typeof sourceStatuses)[number]

/** A task as its source has it. Whatever else the source knows of it stays there, untouched. */
export interface SourceTask {
  /** The source's own name for it, kept as it is. */
  id: string
  title: string
  /** All that a coder should read: description, details, steps, references. */
  description: string
  dependsOn: string[]
  criteria: string[]
  files: string[]
  type: string | null
  /** As in `TaskSpec`; absent where the source has no such field. */
  repairs?: string[]
  allows?: string[]
  /** An agent wrote it. */
  byAgent?: true
  /** Lower is sooner. */
  priority: number
  status: SourceStatus
  /** What blocks it, or why it was cancelled. */
  reason: string | null
  /** Somebody else works on it, or has put their name on it: nobody but them may. */
  taken?: true
}

/** What a run has to tell of a task. */
export interface SourceUpdate {
  status: SourceStatus
  reason: string | null
  /** What was done, in the words of who did it. */
  summary: string | null
  files: string[]
  /** ISO time. */
  at: string
  /** This run had closed it itself, and takes that back. */
  again?: true
}

/**
 * One place with tasks. Everything may be repeated: a second time changes nothing.
 * Throws ENVIRONMENT_SOURCE when it cannot be reached and CONFIG_BACKLOG when what is there cannot be understood.
 */
export interface TaskStore {
  /** All tasks, in their order there; null when nothing has changed since the last look but by this store itself. */
  list(): Promise<SourceTask[] | null>
  /**
   * True when the task is now this run's; false when it is somebody else's or closed. Of many who try at once, one
   * succeeds.
   */
  claim(id: string, by: string, at: string): Promise<boolean>
  /** Open tasks: todo, doing, blocked. May be put off until `settle`. */
  update(id: string, change: SourceUpdate): Promise<void>
  /** Done or cancelled. May be put off until `settle`. */
  close(id: string, change: SourceUpdate): Promise<void>
  /** A task that a run discovered. May be put off until `settle`. */
  add(task: SourceTask, at: string): Promise<void>
  /** Resolves when everything told so far is kept there. */
  settle(): Promise<void>
  /** Whether somebody has noted there that everything is done, as of the last look. */
  isComplete?(): boolean
  /** Files that the tasks were taken from, as their source names them, as of the last look. */
  documents?(): string[]
  /** Notes that everything is done. May be put off until `settle`. */
  complete?(by: string, at: string): Promise<void>
  /**
   * Puts these tasks there: where there are none (`bootstrap`), or instead of what could not be understood when last
   * looked at (`repair`), which is kept beside. What somebody else has put there since stays, and nothing is done.
   */
  replace?(tasks: readonly SourceTask[], at: string, why: 'bootstrap' | 'repair'): Promise<void>
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The order of ids: by number where both have one, so that T2 comes before T10. Total: only equal ids compare as 0. */
export function compareIds(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(j)]
    if (isDigit(x) && isDigit(y)) {
      const [start, other] = [pastZeros(a, i), pastZeros(b, j)]
      i = pastDigits(a, start)
      j = pastDigits(b, other)
      // By text, not by value: an id may have more digits than a number can hold.
      const order = i - start - (j - other) || compareText(a.slice(start, i), b.slice(other, j))
      if (order !== 0) return order
    } else if (x === y) {
      i++
      j++
    } else return x - y
  }
  // T01 and T1 are the same number, and yet two ids.
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
