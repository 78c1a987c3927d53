/** The statuses of a backlog: Looper's own five, and the words that other tools use for the same. */
import { sourceStatuses, type SourceStatus } from '../../model/source.ts'

/** Only what can mean nothing else: `failed` or `closed` could be more than one thing. */
const spellings: Readonly<Record<SourceStatus, readonly string[]>> = {
  todo: ['pending', 'not-started', 'not_started', 'open'],
  doing: ['in_progress', 'in-progress', 'started', 'active'],
  done: ['completed', 'complete', 'finished'],
  blocked: [],
  cancelled: ['canceled', 'skipped'],
}

const meanings: ReadonlyMap<unknown, SourceStatus> = new Map(
  sourceStatuses.flatMap((status) =>
    [status, ...spellings[status]].map((word): [string, SourceStatus] => [word, status]),
  ),
)

/** Looper's own first. */
export const statusWords: readonly string[] = [...sourceStatuses, ...Object.values(spellings).flat()]

/** A task that says nothing of it is still to be done. */
export const statusOf = (word: unknown): SourceStatus => meanings.get(word) ?? 'todo'

export const isStatus = (word: unknown): boolean => word === undefined || word === null || meanings.has(word)
