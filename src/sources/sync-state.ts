/** What a run knows of its source: snapshots of the tasks, and changes that one of the two does not have yet. */
import type { SourceStatus, SourceTask } from '../model/source.ts'

/**
 * Snapshot of a task: its status, a hash of its content, and, while a new status is being written, the previous status.
 */
export type SourceSnapshot = readonly [status: SourceStatus, print: string, before?: SourceStatus]

/** Saves the snapshots from one process to the next. `load` returns null when they are missing or damaged. */
export interface Memory {
  load(): Promise<Record<string, SourceSnapshot> | null>
  save(seen: Record<string, SourceSnapshot>): Promise<void>
}

export interface News {
  task: SourceTask | null
  was: SourceSnapshot | undefined
  /** True when only the content changed, and the status is still the one that the run set. */
  isOnWords: boolean
}

export interface SyncState {
  /** The last known snapshot of each task, read from the source or written to it. */
  known: Map<string, SourceSnapshot>
  /**
   * Snapshots from before a write that is not saved yet: until it is saved, both the old and the new status count as
   * ours.
   */
  before: Map<string, SourceSnapshot>
  dirty: Set<string>
  /** Tasks sent to the store since the last `settle`. */
  sent: Set<string>
  /** Tasks that the run found and the source may not have yet; false until the store has accepted them. */
  added: Map<string, boolean>
  /**
   * Changes by other actors that the run does not know yet, with the snapshot before them; `reported` holds those that
   * are being reported.
   */
  news: Map<string, News>
  reported: Map<string, SourceSnapshot | undefined>
  /** Tasks that another actor had taken at the last poll. */
  others: Set<string>
  /** False while changes that were reported are missing from the saved snapshots. */
  isRemembered: boolean
}

export const createSyncState = (): SyncState => ({
  known: new Map(),
  before: new Map(),
  dirty: new Set(),
  sent: new Set(),
  added: new Map(),
  news: new Map(),
  reported: new Map(),
  others: new Set(),
  isRemembered: true,
})

/** Marks a task that another actor removed from the source, so that it is not added again. */
export const gone: SourceSnapshot = ['cancelled', '']
export const isGone = (seen: SourceSnapshot | undefined): boolean => seen?.[1] === ''

/** Records the snapshot of a task that is about to be written to the source. */
export function put({ known, before, sent, news }: SyncState, id: string, seen: SourceSnapshot): void {
  const there = known.get(id)
  sent.add(id)
  if (there && !before.has(id)) before.set(id, there)
  known.set(id, seen)
  const unheard = news.get(id)
  if (unheard?.was) unheard.was = [seen[0], unheard.was[1]]
}

export const loadSnapshots = ({ known, before }: SyncState, memory: Memory): Promise<void> =>
  memory.load().then((seen) => {
    for (const [id, [status, print, earlier]] of Object.entries(seen ?? {})) {
      known.set(id, [status, print])
      if (earlier !== undefined) before.set(id, [earlier, print])
    }
  })

/**
 * Saves the snapshots. Changes that the journal does not have yet are left out, so that the next process finds them
 * again.
 */
export async function saveSnapshots(sync: SyncState, memory: Memory): Promise<void> {
  const { known, before, added, news, reported } = sync
  const seen = new Map(known)
  for (const [id, [earlier]] of before) {
    const [status, print] = known.get(id) ?? gone
    seen.set(id, [status, print, earlier])
  }
  for (const id of added.keys()) seen.delete(id)
  for (const [id, was] of [...[...news].map(([each, entry]) => [each, entry.was] as const), ...reported]) {
    const earlier = before.get(id)
    if (was) seen.set(id, earlier ? [was[0], was[1], earlier[0]] : was)
    else seen.delete(id)
  }
  await memory.save(Object.fromEntries(seen))
  sync.isRemembered = true
}
