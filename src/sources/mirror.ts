/**
 * Synchronizes a run with its source of tasks. Each poll compares the source with the last snapshot and with the state
 * of the run: changes by other actors are reported to the run, changes by the run are written to the source, and none
 * is lost.
 */
import { createHash } from 'node:crypto'
import { sourceStatus } from '../core/policies/source-changes.ts'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { SourceStatus, SourceTask, SourceUpdate, TaskStore } from '../model/source.ts'
import type { RunState, TaskState } from '../model/state.ts'
import { authorOf } from '../model/task-author.ts'
import type { SyncOutcome, SyncWork } from '../model/work.ts'
import { inTurn } from '../platform/in-turn.ts'

/**
 * Snapshot of a task: its status, a hash of its content, and, while a new status is being written, the previous status.
 */
export type Seen = readonly [status: SourceStatus, print: string, before?: SourceStatus]

/** Saves the snapshots from one process to the next. `load` returns null when they are missing or damaged. */
export interface Memory {
  load(): Promise<Record<string, Seen> | null>
  save(seen: Record<string, Seen>): Promise<void>
}

export interface Mirror {
  look(work: SyncWork, state: RunState): Promise<SyncOutcome>
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

interface News {
  task: SourceTask | null
  was: Seen | undefined
  /** True when only the content changed, and the status is still the one that the run set. */
  isOnWords: boolean
}

/** Marks a task that another actor removed from the source, so that it is not added again. */
const gone: Seen = ['cancelled', '']
const isGone = (seen: Seen | undefined): boolean => seen?.[1] === ''

const isOpen = (status: SourceStatus | undefined): boolean =>
  status !== undefined && status !== 'done' && status !== 'cancelled'

const mostProblems = 20
const mostText = 100_000

export function createMirror({ store, memory, run, objection }: MirrorOptions): Mirror {
  /** The last known snapshot of each task, read from the source or written to it. */
  const known = new Map<string, Seen>()
  /**
   * Snapshots from before a write that is not saved yet: until it is saved, both the old and the new status count as
   * ours.
   */
  const before = new Map<string, Seen>()
  const dirty = new Set<string>()
  /** Tasks sent to the store since the last `settle`. */
  const told = new Set<string>()
  /** Tasks that the run found and the source may not have yet; false until the store has accepted them. */
  const added = new Map<string, boolean>()
  /**
   * Changes by other actors that the run does not know yet, with the snapshot before them; `reported` holds those that
   * are being reported.
   */
  const news = new Map<string, News>()
  const reported = new Map<string, Seen | undefined>()
  /** Tasks that another actor had taken at the last poll. */
  const others = new Set<string>()
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
  let isRemembered = true
  let isMarked = false
  const isToBeMarked = ({ backlog, conclusion }: RunState): boolean =>
    !isMarked && backlog?.complete === true && conclusion?.status === 'completed'
  let remembers: Promise<void> | null = null
  // A poll in the middle of a write would take the run's own changes for those of another actor.
  const turn = inTurn()

  const remember = (): Promise<void> =>
    (remembers ??= memory.load().then((seen) => {
      for (const [id, [status, print, earlier]] of Object.entries(seen ?? {})) {
        known.set(id, [status, print])
        if (earlier !== undefined) before.set(id, [earlier, print])
      }
    }))

  function put(id: string, seen: Seen): void {
    const there = known.get(id)
    told.add(id)
    if (there && !before.has(id)) before.set(id, there)
    known.set(id, seen)
    const unheard = news.get(id)
    if (unheard?.was) unheard.was = [seen[0], unheard.was[1]]
  }

  /** Returns what another actor changed on a task that the run knows, or null. */
  function changeOf(task: SourceTask, mine: TaskState): Omit<News, 'was'> | null {
    const { id } = task
    const [there, put] = [known.get(id), before.get(id)]
    const ourStatus = sourceStatus(mine.status)
    const print = printOf(task)
    // Without a snapshot, the status of the run counts as newer, unless the task was closed in the source.
    const isOurs = there
      ? task.status === there[0] || task.status === put?.[0] || isClaim(task, mine, there)
      : mine.attempts > 0 && task.status !== 'done' && task.status !== 'cancelled'
    const isStatusOurs = isSkipped(task, mine) || (isOurs && !isFreeAgain(task, mine))
    const areWordsOurs = there ? print === there[1] : print === printOf(wordsOf(mine))
    // A status that an earlier process intended to write may not be in the source.
    known.set(id, [isStatusOurs && put && there && told.has(id) ? there[0] : task.status, print])
    if (!isStatusOurs) before.delete(id)
    // A pending update for this task would overwrite the change, so write again.
    if (!isStatusOurs && told.has(id)) dirty.add(id)
    if (isStatusOurs && task.status !== ourStatus) dirty.add(id)
    if (isStatusOurs && areWordsOurs) return null
    return { task, isOnWords: isStatusOurs }
  }

  /** Another actor had taken the task and has released it, possibly between two polls. */
  const isFreeAgain = ({ status, taken }: SourceTask, { held }: TaskState): boolean =>
    held === 'taken' && status === 'todo' && !taken

  /**
   * The run has skipped a task that another actor had taken, so that was never recorded there: it is open as before,
   * and that actor's further steps do not open it here.
   */
  const isSkipped = ({ id, status }: SourceTask, { status: ours, held }: TaskState): boolean =>
    ours === 'cancelled' && (held === 'taken' || others.has(id)) && isOpen(status) && isOpen(known.get(id)?.[0])

  /** The source has saved a claim of this run, but the process that claimed it died before it saved the snapshot. */
  const isClaim = ({ status }: SourceTask, { attempts }: TaskState, [there]: Seen): boolean =>
    status === 'doing' && attempts > 0 && (there === 'todo' || there === 'blocked')

  /**
   * Restores the snapshot from before the changes that the run has not received: until it has, they and any later
   * changes are still news.
   */
  function forget(id: string): Seen | undefined {
    const unheard = news.get(id) ?? (reported.has(id) ? { was: reported.get(id) } : null)
    if (unheard === null) return known.get(id)
    news.delete(id)
    if (unheard.was) known.set(id, unheard.was)
    else known.delete(id)
    return unheard.was
  }

  function compare(state: RunState, listed: readonly SourceTask[]): void {
    const there = new Set<string>()
    for (const task of listed) {
      there.add(task.id)
      const was = forget(task.id)
      const mine = Object.hasOwn(state.tasks, task.id) ? state.tasks[task.id] : undefined
      const change = mine ? changeOf(task, mine) : { task, isOnWords: false }
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
    compare(state, listed)
    hasCompared = true
  }

  /** Returns the changes to report to the run, and moves them to `reported`. */
  function takeNews(): Pick<SyncOutcome, 'tasks' | 'removed' | 'reworded'> {
    const all = [...news]
    for (const [id, { was }] of all) reported.set(id, reported.get(id) ?? was)
    news.clear()
    isRemembered &&= all.length === 0
    const reworded = all.flatMap(([id, { isOnWords }]) => (isOnWords ? [id] : []))
    return {
      tasks: all.flatMap(([, { task }]) => task ?? []),
      removed: all.flatMap(([id, { task }]) => (task ? [] : [id])),
      ...(reworded.length === 0 ? {} : { reworded }),
    }
  }

  /**
   * Saves the snapshots. Changes that the journal does not have yet are left out, so that the next process finds them
   * again.
   */
  async function memorize(): Promise<void> {
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
    isRemembered = true
  }

  const send = (id: string, change: SourceUpdate): Promise<void> =>
    change.status === 'done' || change.status === 'cancelled' ? store.close(id, change) : store.update(id, change)

  /** Writes the status that another actor set over a status of the run that was sent and is not saved yet. */
  async function giveWay(at: string): Promise<void> {
    for (const [id, { task, isOnWords }] of news) {
      if (task && !isOnWords && told.has(id))
        await send(id, { status: task.status, reason: task.reason, summary: null, files: [], at })
    }
  }

  /**
   * Returns the update to send for a task. Null when the source has it already, the task was removed there, or another
   * actor has the task.
   */
  function updateOf(task: TaskState, { lastAt }: RunState): (() => Promise<void>) | null {
    const { id } = task
    const status = sourceStatus(task.status)
    const there = known.get(id)
    const isOthers = others.has(id) || (task.held === 'taken' && status !== 'cancelled')
    if (isOthers || isGone(there) || (there?.[0] === status && !told.has(id))) return null
    if (!there && (task.origin === 'source' || status === 'cancelled')) return null
    put(id, [status, there?.[1] ?? printOf(wordsOf(task))])
    const change: SourceUpdate = {
      status,
      reason: task.reason,
      summary: task.summary,
      files: task.files,
      at: task.endedAt ?? task.startedAt ?? lastAt,
      ...(there?.[0] === 'done' && status !== 'done' ? { again: true } : {}),
    }
    if (there && added.get(id) !== false) return () => send(id, change)
    added.set(id, false)
    return async () => {
      // A task that is already closed is added as open and then closed, so that the close carries its summary and
      // files.
      const isClosed = status === 'done' || status === 'cancelled'
      await store.add(
        { ...wordsOf(task), status: isClosed ? 'todo' : status, reason: isClosed ? null : task.reason },
        lastAt,
      )
      added.set(id, true)
      if (isClosed) await send(id, change)
    }
  }

  /**
   * Saves the snapshots before it sends updates: after a crash, the next process must not take them for changes by
   * another actor.
   */
  async function tellChanges(state: RunState): Promise<void> {
    const ids = [...dirty].filter((id) => !reported.has(id) && news.get(id)?.isOnWords !== false)
    const all = ids.flatMap((id) => {
      const tell = Object.hasOwn(state.tasks, id) ? updateOf(state.tasks[id] as TaskState, state) : null
      // Removed before sending: a change that happens during the write is sent by the next flush.
      dirty.delete(id)
      return tell ? [{ id, tell }] : []
    })
    const untold = new Set(all.map(({ id }) => id))
    try {
      if (all.length > 0) await memorize()
      for (const { id, tell } of all) {
        await tell()
        untold.delete(id)
      }
    } finally {
      for (const id of untold) dirty.add(id)
    }
  }

  async function look(work: SyncWork, state: RunState): Promise<SyncOutcome> {
    await remember()
    const claimed = async (): Promise<SyncOutcome['claim']> => {
      if (work.claim === null) return null
      // A task that the run closed and reopens is still closed in the source, so reopen it there before claiming it.
      if (known.get(work.claim)?.[0] === 'done' && dirty.has(work.claim)) await tellChanges(state)
      const isOnlyHere = added.has(work.claim) || !known.has(work.claim) || isGone(known.get(work.claim))
      return { task: work.claim, ok: isOnlyHere || (await store.claim(work.claim, run, state.lastAt)) }
    }
    try {
      if (!isRemembered) await memorize()
      const isRepaired = isUnderstood && work.write?.why === 'repair'
      if (work.write && !isRepaired) await store.replace?.(work.write.tasks, state.lastAt, work.write.why)
      await pull(state)
      const changes = takeNews()
      // Claim only when nothing changed: with the news, the run may choose another task.
      const claim = changes.tasks.length + changes.removed.length === 0 ? await claimed() : null
      const there = claim?.ok ? known.get(claim.task) : undefined
      if (claim && there && !isGone(there)) put(claim.task, ['doing', there[1]])
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
    await giveWay(state.lastAt)
    await tellChanges(state)
    if (isToBeMarked(state)) await store.complete?.(run, state.lastAt)
    await store.settle()
    isMarked ||= isToBeMarked(state)
    before.clear()
    told.clear()
    added.clear()
    await memorize()
  }

  return {
    look: (work, state) => turn(() => look(work, state)),

    touch(event, state) {
      if (event.type === 'source.looked') reported.clear()
      else if (event.type === 'task.finished' || event.type === 'task.undone') dirty.add(event.task)
      else if (event.type === 'task.reopened' || event.type === 'rolled.back')
        event.tasks.forEach((id) => dirty.add(id))
      else if (event.type === 'task.added' && event.origin !== 'source') dirty.add(event.task.id)
      else if (event.type === 'run.ended')
        for (const [id, [status]] of known) if (status === 'doing' && state.tasks[id]) dirty.add(id)
    },

    isDirty: (state) => dirty.size > 0 || told.size > 0 || isToBeMarked(state) || (!hasCompared && mayBeUntold(state)),

    flush: (state) => turn(() => flush(state)),
  }
}

/** An earlier process may have changes that it did not write, or may have failed to read the source. */
const mayBeUntold = ({ order, backlog }: RunState): boolean => order.length > 0 || (backlog?.looks ?? 0) > 0

const wordsOf = ({
  id,
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  repairs,
  allows,
  origin,
  byAgent,
}: TaskState): Omit<SourceTask, 'status' | 'reason'> => ({
  id,
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  ...(repairs ? { repairs } : {}),
  ...(allows ? { allows } : {}),
  ...(authorOf({ origin, byAgent }) === 'person' ? {} : { byAgent: true }),
})

const printOf = ({
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  repairs = [],
  allows = [],
}: Omit<SourceTask, 'id' | 'status' | 'reason'>): string =>
  createHash('sha1')
    .update(
      JSON.stringify([
        title,
        description,
        dependsOn,
        criteria,
        files,
        type,
        priority,
        // Left out when empty, so that the hash equals the one that earlier versions saved.
        ...(repairs.length + allows.length > 0 ? [repairs, allows] : []),
      ]),
    )
    .digest('base64')
    .slice(0, 12)

function troubleOf(error: LooperError): Pick<SyncOutcome, 'problems' | 'text'> {
  const { problems, text } = error.details
  const list = Array.isArray(problems) ? problems.filter((each) => typeof each === 'string').slice(0, mostProblems) : []
  return {
    problems: list.length > 0 ? list : [error.message],
    ...(typeof text === 'string' ? { text: text.slice(0, mostText) } : {}),
  }
}
