/**
 * Synchronizes a run with its source of tasks. Each poll compares the source with the last snapshot and with the state
 * of the run: changes by other actors are reported to the run, changes by the run are written to the source, and none
 * is lost.
 */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { SourceTask, TaskStore } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import type { SyncOutcome, SyncWork } from '../model/work.ts'
import { inTurn } from '../platform/in-turn.ts'
import { compareSource, takeNews } from './compare-source.ts'
import { sendUpdates, yieldToOthers } from './send-updates.ts'
import { createSyncState, isGone, loadSnapshots, put, saveSnapshots, type Memory } from './sync-state.ts'

export interface Mirror {
  poll(work: SyncWork, state: RunState): Promise<SyncOutcome>
  /** Marks the tasks that an event changes; `flush` writes them to the source. */
  touch(event: Event, state: RunState): void
  isDirty(state: RunState): boolean
  flush(state: RunState): Promise<void>
}

export interface MirrorOptions {
  store: TaskStore
  memory: Memory
  run: string
  /** Returns why an id cannot be used as a task id, or null when it can. */
  objection(id: string): string | null
}

const mostProblems = 20
const mostText = 100_000

export function createMirror({ store, memory, run, objection }: MirrorOptions): Mirror {
  const sync = createSyncState()
  const { known, before, dirty, sent, added, reported } = sync
  /** Whether the last poll of this process could read the tasks. */
  let isUnderstood = false
  /**
   * Tasks that the last poll refused because of their ids; they are checked again at each poll until they are valid.
   */
  let refused: SourceTask[] | null = null
  /**
   * False until this process has compared once: it cannot know which changes the previous process still had to write.
   */
  let hasCompared = false
  let isMarked = false
  const isToBeMarked = ({ backlog, conclusion }: RunState): boolean =>
    !isMarked && backlog?.complete === true && conclusion?.status === 'completed'
  let remembers: Promise<void> | null = null
  // A poll in the middle of a write would take the run's own changes for those of another actor.
  const turn = inTurn()

  const remember = (): Promise<void> => (remembers ??= loadSnapshots(sync, memory))

  async function pull(state: RunState): Promise<void> {
    const wasUnderstood = isUnderstood
    isUnderstood = false
    const listed = (await store.list()) ?? refused
    hasCompared ||= listed === null
    if (listed === null) return void (isUnderstood = wasUnderstood)
    const problems = listed.flatMap(({ id }) => objection(id) ?? [])
    refused = problems.length > 0 ? listed : null
    if (refused)
      throw new LooperError('CONFIG_BACKLOG', problems[0] ?? '', {
        details: { problems: problems.slice(0, mostProblems) },
      })
    isUnderstood = true
    compareSource(sync, state, listed)
    hasCompared = true
  }

  async function poll(work: SyncWork, state: RunState): Promise<SyncOutcome> {
    await remember()
    const claimed = async (): Promise<SyncOutcome['claim']> => {
      if (work.claim === null) return null
      // A task that the run closed and reopens is still closed in the source, so reopen it there before claiming it.
      if (known.get(work.claim)?.[0] === 'done' && dirty.has(work.claim)) await sendUpdates(sync, store, memory, state)
      const isOnlyHere = added.has(work.claim) || !known.has(work.claim) || isGone(known.get(work.claim))
      return { task: work.claim, ok: isOnlyHere || (await store.claim(work.claim, run, state.lastAt)) }
    }
    try {
      if (!sync.isRemembered) await saveSnapshots(sync, memory)
      const isRepaired = isUnderstood && work.write?.why === 'repair'
      if (work.write && !isRepaired) await store.replace?.(work.write.tasks, state.lastAt, work.write.why)
      await pull(state)
      const changes = takeNews(sync)
      // Claim only when nothing changed: with the news, the run may choose another task.
      const claim = changes.tasks.length + changes.removed.length === 0 ? await claimed() : null
      const there = claim?.ok ? known.get(claim.task) : undefined
      if (claim && there && !isGone(there)) put(sync, claim.task, ['doing', there[1]])
      return { kind: 'sync', ...changes, claim, complete: store.isComplete?.() ?? false, problems: [] }
    } catch (error) {
      if (!(error instanceof LooperError) || error.code !== 'CONFIG_BACKLOG') throw error
      // The run continues with the tasks it knows: no other actor can have taken a task of a backlog that cannot be
      // read.
      const claim = work.claim === null ? null : { task: work.claim, ok: true }
      if (work.claim !== null) dirty.add(work.claim)
      return { kind: 'sync', tasks: [], removed: [], claim, complete: false, ...troubleOf(error) }
    }
  }

  async function flush(state: RunState): Promise<void> {
    await remember()
    await pull(state)
    await yieldToOthers(sync, store, state.lastAt)
    await sendUpdates(sync, store, memory, state)
    // The run may end while the source is written: then the next flush marks it.
    const marks = isToBeMarked(state)
    if (marks) await store.complete?.(run, state.lastAt)
    await store.settle()
    isMarked ||= marks
    before.clear()
    sent.clear()
    added.clear()
    await saveSnapshots(sync, memory)
  }

  return {
    poll: (work, state) => turn(() => poll(work, state)),

    touch(event, state) {
      if (event.type === 'source.polled') reported.clear()
      else if (event.type === 'task.finished' || event.type === 'task.undone') dirty.add(event.task)
      else if (event.type === 'task.reopened' || event.type === 'rolled.back')
        event.tasks.forEach((id) => dirty.add(id))
      else if (event.type === 'task.added' && event.origin !== 'source') dirty.add(event.task.id)
      else if (event.type === 'run.ended')
        for (const [id, [status]] of known) if (status === 'doing' && state.tasks[id]) dirty.add(id)
    },

    isDirty: (state) => dirty.size > 0 || sent.size > 0 || isToBeMarked(state) || (!hasCompared && mayBeUnsent(state)),

    flush: (state) => turn(() => flush(state)),
  }
}

/** An earlier process may have changes that it did not write, or may have failed to read the source. */
const mayBeUnsent = ({ order, backlog }: RunState): boolean => order.length > 0 || (backlog?.polls ?? 0) > 0

function troubleOf(error: LooperError): Pick<SyncOutcome, 'problems' | 'text'> {
  const { problems, text } = error.details
  const list = Array.isArray(problems) ? problems.filter((each) => typeof each === 'string').slice(0, mostProblems) : []
  return {
    problems: list.length > 0 ? list : [error.message],
    ...(typeof text === 'string' ? { text: text.slice(0, mostText) } : {}),
  }
}
