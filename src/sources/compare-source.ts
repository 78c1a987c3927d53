/** Compares the tasks of a source with the snapshots and with the run, to find what other actors changed there. */
import { sourceStatus } from '../core/policies/source-changes.ts'
import type { SourceStatus, SourceTask } from '../model/source.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { SyncOutcome } from '../model/work.ts'
import { gone, isGone, type News, type SourceSnapshot, type SyncState } from './sync-state.ts'
import { printOf, wordsOf } from './task-words.ts'

/** Records the changes by other actors as news, and marks the tasks whose status is to be written again. */
export function compareSource(sync: SyncState, state: RunState, listed: readonly SourceTask[]): void {
  const { known, dirty, added, news, others } = sync
  const there = new Set<string>()
  for (const task of listed) {
    there.add(task.id)
    const was = forget(sync, task.id)
    const mine = Object.hasOwn(state.tasks, task.id) ? state.tasks[task.id] : undefined
    const change = mine ? changeOf(sync, task, mine) : { task, isOnWords: false }
    if (!mine) known.set(task.id, [task.status, printOf(task)])
    if (change) news.set(task.id, { ...change, was })
  }
  others.clear()
  for (const { id, taken } of listed) if (taken) others.add(id)
  for (const [id, was] of known) {
    if (there.has(id) || added.has(id) || isGone(was)) continue
    news.set(id, { task: null, was, isOnWords: false })
    known.set(id, gone)
  }
  // The run found this task, but the process died before it was saved in the source.
  for (const { id, origin } of Object.values(state.tasks))
    if (origin !== 'source' && !there.has(id) && !known.has(id)) dirty.add(id)
}

/**
 * Restores the snapshot from before the changes that the run has not received: until it has, they and any later changes
 * are still news.
 */
function forget({ known, news, reported }: SyncState, id: string): SourceSnapshot | undefined {
  const unheard = news.get(id) ?? (reported.has(id) ? { was: reported.get(id) } : null)
  if (unheard === null) return known.get(id)
  news.delete(id)
  if (unheard.was) known.set(id, unheard.was)
  else known.delete(id)
  return unheard.was
}

/** Returns what another actor changed on a task that the run knows, or null. */
function changeOf(sync: SyncState, task: SourceTask, mine: TaskState): Omit<News, 'was'> | null {
  const { known, before, dirty, sent } = sync
  const { id } = task
  const [there, put] = [known.get(id), before.get(id)]
  const ourStatus = sourceStatus(mine.status)
  const print = printOf(task)
  // Without a snapshot, the status of the run counts as newer, unless the task was closed in the source.
  const isOurs = there
    ? task.status === there[0] || task.status === put?.[0] || isClaim(task, mine, there)
    : mine.attempts > 0 && task.status !== 'done' && task.status !== 'cancelled'
  const isStatusOurs = isSkipped(sync, task, mine) || (isOurs && !isFreeAgain(task, mine))
  const areWordsOurs = there ? print === there[1] : print === printOf(wordsOf(mine))
  // A status that an earlier process intended to write may not be in the source.
  known.set(id, [isStatusOurs && put && there && sent.has(id) ? there[0] : task.status, print])
  if (!isStatusOurs) before.delete(id)
  // A pending update for this task would overwrite the change, so write again.
  if (!isStatusOurs && sent.has(id)) dirty.add(id)
  if (isStatusOurs && task.status !== ourStatus) dirty.add(id)
  if (isStatusOurs && areWordsOurs) return null
  return { task, isOnWords: isStatusOurs }
}

/** Another actor had taken the task and has released it, possibly between two polls. */
const isFreeAgain = ({ status, taken }: SourceTask, { held }: TaskState): boolean =>
  held === 'taken' && status === 'todo' && !taken

/**
 * The run has skipped a task that another actor had taken, so that was never recorded there: it is open as before, and
 * that actor's further steps do not open it here.
 */
const isSkipped = (
  { known, others }: SyncState,
  { id, status }: SourceTask,
  { status: ours, held }: TaskState,
): boolean =>
  ours === 'cancelled' && (held === 'taken' || others.has(id)) && isOpen(status) && isOpen(known.get(id)?.[0])

const isOpen = (status: SourceStatus | undefined): boolean =>
  status !== undefined && status !== 'done' && status !== 'cancelled'

/** The source has saved a claim of this run, but the process that claimed it died before it saved the snapshot. */
const isClaim = ({ status }: SourceTask, { attempts }: TaskState, [there]: SourceSnapshot): boolean =>
  status === 'doing' && attempts > 0 && (there === 'todo' || there === 'blocked')

/** Returns the changes to report to the run, and moves them to `reported`. */
export function takeNews(sync: SyncState): Pick<SyncOutcome, 'tasks' | 'removed' | 'reworded'> {
  const { news, reported } = sync
  const all = [...news]
  for (const [id, { was }] of all) reported.set(id, reported.get(id) ?? was)
  news.clear()
  sync.isRemembered &&= all.length === 0
  const reworded = all.flatMap(([id, { isOnWords }]) => (isOnWords ? [id] : []))
  return {
    tasks: all.flatMap(([, { task }]) => task ?? []),
    removed: all.flatMap(([id, { task }]) => (task ? [] : [id])),
    ...(reworded.length === 0 ? {} : { reworded }),
  }
}
