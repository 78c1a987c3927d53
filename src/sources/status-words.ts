/** Maps the status words of other programs to the statuses of Looper. */
import type { SourceStatus } from '../model/source.ts'

const words: Record<SourceStatus, readonly string[]> = {
  // A failed task is to be tried again.
  todo: ['todo', 'pending', 'open', 'new', 'ready', 'notstarted', 'queued', 'backlog', 'failed', 'planned'],
  doing: ['doing', 'inprogress', 'running', 'started', 'active', 'hooked', 'claimed', 'executing'],
  done: ['done', 'completed', 'complete', 'closed', 'finished', 'resolved', 'approved', 'passed', 'success'],
  blocked: ['blocked', 'waiting', 'deferred', 'onhold', 'stalled', 'paused'],
  cancelled: [
    'cancelled',
    'canceled',
    'skipped',
    'wontfix',
    'wontdo',
    'deleted',
    'tombstone',
    'abandoned',
    'split',
    'duplicate',
  ],
}

const byWord = new Map(
  Object.entries(words).flatMap(([status, spellings]) => spellings.map((word) => [word, status as SourceStatus])),
)

/** Returns null for an unknown word. Case, spaces, apostrophes, hyphens and underscores are ignored. */
export const statusOf = (word: string): SourceStatus | null =>
  byWord.get(word.toLowerCase().replace(/[\s_'’-]/g, '')) ?? null

export const isOpen = (status: SourceStatus): boolean => status !== 'done' && status !== 'cancelled'
