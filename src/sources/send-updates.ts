/** Sends the changes of a run to its source. */
import { sourceStatus } from '../core/policies/source-changes.ts'
import type { SourceUpdate, TaskStore } from '../model/source.ts'
import type { RunState, TaskState } from '../model/state.ts'
import { isGone, put, saveSnapshots, type Memory, type SyncState } from './sync-state.ts'
import { printOf, wordsOf } from './task-words.ts'

const send = (store: TaskStore, id: string, change: SourceUpdate): Promise<void> =>
  change.status === 'done' || change.status === 'cancelled' ? store.close(id, change) : store.update(id, change)

/** Writes the status that another actor set over a status of the run that was sent and is not saved yet. */
export async function yieldToOthers({ news, sent }: SyncState, store: TaskStore, at: string): Promise<void> {
  for (const [id, { task, isOnWords }] of news) {
    if (task && !isOnWords && sent.has(id))
      await send(store, id, { status: task.status, reason: task.reason, summary: null, files: [], at })
  }
}

/**
 * Saves the snapshots before it sends updates: after a crash, the next process must not take them for changes by
 * another actor.
 */
export async function sendUpdates(sync: SyncState, store: TaskStore, memory: Memory, state: RunState): Promise<void> {
  const { dirty, news, reported } = sync
  const ids = [...dirty].filter((id) => !reported.has(id) && news.get(id)?.isOnWords !== false)
  const all = ids.flatMap((id) => {
    const update = Object.hasOwn(state.tasks, id) ? updateOf(sync, store, state.tasks[id] as TaskState, state) : null
    // Removed before sending: a change that happens during the write is sent by the next flush.
    dirty.delete(id)
    return update ? [{ id, update }] : []
  })
  const unsent = new Set(all.map(({ id }) => id))
  try {
    if (all.length > 0) await saveSnapshots(sync, memory)
    for (const { id, update } of all) {
      await update()
      unsent.delete(id)
    }
  } finally {
    for (const id of unsent) dirty.add(id)
  }
}

/**
 * Returns the update to send for a task. Null when the source has it already, the task was removed there, or another
 * actor has the task.
 */
function updateOf(
  sync: SyncState,
  store: TaskStore,
  task: TaskState,
  { lastAt }: RunState,
): (() => Promise<void>) | null {
  const { known, sent, added, others } = sync
  const { id } = task
  const status = sourceStatus(task.status)
  const there = known.get(id)
  const isOthers = others.has(id) || (task.held === 'taken' && status !== 'cancelled')
  if (isOthers || isGone(there) || (there?.[0] === status && !sent.has(id))) return null
  if (!there && (task.origin === 'source' || status === 'cancelled')) return null
  put(sync, id, [status, there?.[1] ?? printOf(wordsOf(task))])
  const change: SourceUpdate = {
    status,
    reason: task.reason,
    summary: task.summary,
    files: task.files,
    at: task.endedAt ?? task.startedAt ?? lastAt,
    ...(there?.[0] === 'done' && status !== 'done' ? { again: true } : {}),
  }
  if (there && added.get(id) !== false) return () => send(store, id, change)
  added.set(id, false)
  return async () => {
    // A task that is already closed is added as open and then closed, so that the close carries its summary and files.
    const isClosed = status === 'done' || status === 'cancelled'
    await store.add(
      { ...wordsOf(task), status: isClosed ? 'todo' : status, reason: isClosed ? null : task.reason },
      lastAt,
    )
    added.set(id, true)
    if (isClosed) await send(store, id, change)
  }
}
