/**
 * Keeps a run and its source of tasks together. What the source has is compared with what it had when the run last
 * looked and with what the run knows: a change that somebody else made is told to the run, a change that the run made
 * is put there, nothing is lost.
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
 * What was seen of a task: its status, a print of its words, and, while a new status is on its way there, the one
 * before.
 */
export type Seen = readonly [status: SourceStatus, print: string, before?: SourceStatus]

/** What was last seen, kept from one process to the next; missing or damaged is null. */
export interface Memory {
  load(): Promise<Record<string, Seen> | null>
  save(seen: Record<string, Seen>): Promise<void>
}

export interface Mirror {
  look(work: SyncWork, state: RunState): Promise<SyncOutcome>
  /** Something happened in the run; what it means for the source is put there by `flush`. */
  touch(event: Event, state: RunState): void
  isDirty(state: RunState): boolean
  flush(state: RunState): Promise<void>
}

export interface MirrorOptions {
  store: TaskStore
  memory: Memory
  run: string
  /** Why an id cannot be used as the name of a task; null when it can. */
  objection(id: string): string | null
}

interface News {
  task: SourceTask | null
  was: Seen | undefined
  /** Where it stands is the run's own word still. */
  isOnWords: boolean
}

/** Somebody took it out, and that is remembered: it is not put back. */
const gone: Seen = ['cancelled', '']
const isGone = (seen: Seen | undefined): boolean => seen?.[1] === ''

const isOpen = (status: SourceStatus | undefined): boolean =>
  status !== undefined && status !== 'done' && status !== 'cancelled'

const mostProblems = 20
const mostText = 100_000

export function createMirror({ store, memory, run, objection }: MirrorOptions): Mirror {
  /** As last seen there or put there. */
  const known = new Map<string, Seen>()
  /** What was there before something was put off: until it is kept, both are ours. */
  const before = new Map<string, Seen>()
  const dirty = new Set<string>()
  /** Told since everything was last kept there. */
  const told = new Set<string>()
  /** Found by the run and on their way there; false until the store has been told of it. */
  const added = new Map<string, boolean>()
  /** What somebody else changed and the run does not know yet, with what was seen before; and what it is being told. */
  const news = new Map<string, News>()
  const reported = new Map<string, Seen | undefined>()
  /** Tasks that another actor had taken at the last look. */
  const others = new Set<string>()
  /** What was there at the last look of this process. */
  let isUnderstood = false
  /** What could not be used: it is looked at again until it can. */
  let refused: SourceTask[] | null = null
  /** A process that has just taken over does not know what the one before it came to tell. */
  let hasCompared = false
  let isRemembered = true
  let isMarked = false
  const isToBeMarked = ({ backlog, conclusion }: RunState): boolean =>
    !isMarked && backlog?.complete === true && conclusion?.status === 'completed'
  let remembers: Promise<void> | null = null
  // A look in the middle of telling would take the run's own words for somebody else's.
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

  /** What somebody else changed of a task that the run knows; null when that is nothing. */
  function changeOf(task: SourceTask, mine: TaskState): Omit<News, 'was'> | null {
    const { id } = task
    const [there, put] = [known.get(id), before.get(id)]
    const ourStatus = sourceStatus(mine.status)
    const print = printOf(task)
    // Nobody remembers how it stood there: what the run did is taken for newer, unless somebody has closed it.
    const isOurs = there
      ? task.status === there[0] || task.status === put?.[0] || isClaim(task, mine, there)
      : mine.attempts > 0 && task.status !== 'done' && task.status !== 'cancelled'
    const isStatusOurs = isSkipped(task, mine) || (isOurs && !isFreeAgain(task, mine))
    const areWordsOurs = there ? print === there[1] : print === printOf(wordsOf(mine))
    // What an earlier process only meant to tell is not there.
    known.set(id, [isStatusOurs && put && there && told.has(id) ? there[0] : task.status, print])
    if (!isStatusOurs) before.delete(id)
    // What was told before that would undo it.
    if (!isStatusOurs && told.has(id)) dirty.add(id)
    if (isStatusOurs && task.status !== ourStatus) dirty.add(id)
    if (isStatusOurs && areWordsOurs) return null
    return { task, isOnWords: isStatusOurs }
  }

  /** Whoever had taken it has let go of it, however short that was. */
  const isFreeAgain = ({ status, taken }: SourceTask, { held }: TaskState): boolean =>
    held === 'taken' && status === 'todo' && !taken

  /**
   * The run has skipped a task that another actor had taken, so that was never recorded there: it is open as before,
   * and that actor's further steps do not open it here.
   */
  const isSkipped = ({ id, status }: SourceTask, { status: ours, held }: TaskState): boolean =>
    ours === 'cancelled' && (held === 'taken' || others.has(id)) && isOpen(status) && isOpen(known.get(id)?.[0])

  /** A claim that is kept at once, by a process that could not remember it any more. */
  const isClaim = ({ status }: SourceTask, { attempts }: TaskState, [there]: Seen): boolean =>
    status === 'doing' && attempts > 0 && (there === 'todo' || there === 'blocked')

  /**
   * As it was seen before what the run has not heard yet: until it has, that is news, and so is what comes on top of
   * it.
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
    // Found by the run, and lost with a process that had not kept it there.
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

  /** What the run is told now. */
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

  /** As long as the journal does not have it, the next process must find it new as well. */
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

  /** Somebody else's word on a task goes before what the run has told of it and is not kept yet. */
  async function giveWay(at: string): Promise<void> {
    for (const [id, { task, isOnWords }] of news) {
      if (task && !isOnWords && told.has(id))
        await send(id, { status: task.status, reason: task.reason, summary: null, files: [], at })
    }
  }

  /**
   * What is to be told of a task; null when it is there already, nobody wants it there, or it is in somebody else's
   * hands.
   */
  function tidings(task: TaskState, { lastAt }: RunState): (() => Promise<void>) | null {
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
      // What was done before it could be told of is told as any other: with what was done.
      const isClosed = status === 'done' || status === 'cancelled'
      await store.add(
        { ...wordsOf(task), status: isClosed ? 'todo' : status, reason: isClosed ? null : task.reason },
        lastAt,
      )
      added.set(id, true)
      if (isClosed) await send(id, change)
    }
  }

  /** What is on its way is remembered first: whoever comes after a crash must not take it for somebody else's doing. */
  async function tellChanges(state: RunState): Promise<void> {
    const ids = [...dirty].filter((id) => !reported.has(id) && news.get(id)?.isOnWords !== false)
    const all = ids.flatMap((id) => {
      const tell = Object.hasOwn(state.tasks, id) ? tidings(state.tasks[id] as TaskState, state) : null
      // What happens to it from now on is told the next time.
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
      // What the run had closed and begins again is closed there, until it is told.
      if (known.get(work.claim)?.[0] === 'done' && dirty.has(work.claim)) await tellChanges(state)
      const isOnlyHere = added.has(work.claim) || !known.has(work.claim) || isGone(known.get(work.claim))
      return { task: work.claim, ok: isOnlyHere || (await store.claim(work.claim, run, state.lastAt)) }
    }
    try {
      if (!isRemembered) await memorize()
      const isMended = isUnderstood && work.write?.why === 'repair'
      if (work.write && !isMended) await store.replace?.(work.write.tasks, state.lastAt, work.write.why)
      await pull(state)
      const changes = takeNews()
      // Who knows more may choose another one.
      const claim = changes.tasks.length + changes.removed.length === 0 ? await claimed() : null
      const there = claim?.ok ? known.get(claim.task) : undefined
      if (claim && there && !isGone(there)) put(claim.task, ['doing', there[1]])
      return { kind: 'sync', ...changes, claim, complete: store.isComplete?.() ?? false, problems: [] }
    } catch (error) {
      if (!(error instanceof LooperError) || error.code !== 'CONFIG_BACKLOG') throw error
      // The run goes on with what it knows; nobody else can have taken a task of a backlog that cannot be read.
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

/** An earlier process may have known something that is not there, or could not read what is. */
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
        // Without them it is the print that earlier versions have kept.
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
