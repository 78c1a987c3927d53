/** Maps the status words that other tools use in a backlog to Looper's five statuses. */
import { sourceStatuses, type SourceStatus } from '../../model/source.ts'

/** Only unambiguous words: `failed` or `closed` can mean several statuses. */
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

/** Looper's own words first. */
export const statusWords: readonly string[] = [...sourceStatuses, ...Object.values(spellings).flat()]

/** A task without a status is `todo`. */
export const statusOf = (word: unknown): SourceStatus => meanings.get(word) ?? 'todo'

export const isStatus = (word: unknown): boolean => word === undefined || word === null || meanings.has(word)
