/**
 * Keeps a run and its source of tasks together. What the source has is compared with what it had when the run last looked and with
 * what the run knows: a change that somebody else made is told to the run, a change that the run made is put there, nothing is lost.
 */
import { createHash } from 'node:crypto'
import { sourceStatus } from '../core/policies/source-changes.ts'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { SourceStatus, SourceTask, SourceUpdate, TaskStore } from '../model/source.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { SyncOutcome, SyncWork } from '../model/work.ts'
import { inTurn } from '../platform/in-turn.ts'

/** What was seen of a task: its status, and a print of its words. */
export type Seen = readonly [status: SourceStatus, print: string]

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
  /** Found by the run and on their way there. */
  const added = new Set<string>()
  /** What somebody else changed and the run does not know yet, with what was seen before; and what it is being told. */
  const news = new Map<string, { task: SourceTask | null; was: Seen | undefined }>()
  const reported = new Map<string, Seen | undefined>()
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

  const remember = (): Promise<void> => remembers ??= memory.load().then((seen) => {
    for (const [id, entry] of Object.entries(seen ?? {})) known.set(id, entry)
  })

  function put(id: string, seen: Seen): void {
    const there = known.get(id)
    told.add(id)
    if (there && !before.has(id)) before.set(id, there)
    known.set(id, seen)
  }

  /** What somebody else changed of a task that the run knows; null when that is nothing. */
  function changeOf(task: SourceTask, mine: TaskState): SourceTask | null {
    const { id } = task
    const [there, put] = [known.get(id), before.get(id)]
    const ourStatus = sourceStatus(mine.status)
    const print = printOf(task)
    // Nobody remembers how it stood there: what the run did is taken for newer, and nothing else.
    const isStatusOurs = there ? task.status === there[0] || task.status === put?.[0] : mine.attempts > 0
    const areWordsOurs = there ? print === there[1] : print === printOf(wordsOf(mine))
    known.set(id, [isStatusOurs && put && there ? there[0] : task.status, print])
    if (!isStatusOurs) before.delete(id)
    // What was told before that would undo it.
    if (!isStatusOurs && told.has(id)) dirty.add(id)
    if (isStatusOurs && task.status !== ourStatus) dirty.add(id)
    if (isStatusOurs && areWordsOurs) return null
    return isStatusOurs ? { ...task, status: ourStatus, reason: mine.reason } : task
  }

  function compare(state: RunState, listed: readonly SourceTask[]): void {
    const there = new Set<string>()
    for (const task of listed) {
      there.add(task.id)
      const was = known.get(task.id)
      const mine = Object.hasOwn(state.tasks, task.id) ? state.tasks[task.id] : undefined
      const change = mine ? changeOf(task, mine) : task
      if (!mine) known.set(task.id, [task.status, printOf(task)])
      if (change) news.set(task.id, { task: change, was })
    }
    for (const [id, was] of known) {
      if (there.has(id) || added.has(id)) continue
      news.set(id, { task: null, was })
      known.delete(id)
    }
  }

  async function pull(state: RunState): Promise<void> {
    const wasUnderstood = isUnderstood
    isUnderstood = false
    const listed = (await store.list()) ?? refused
    if (listed === null) return void (isUnderstood = wasUnderstood)
    const problems = listed.flatMap(({ id }) => objection(id) ?? [])
    refused = problems.length > 0 ? listed : null
    if (refused) throw new LooperError('CONFIG_BACKLOG', problems[0] ?? '', { details: { problems: problems.slice(0, mostProblems) } })
    isUnderstood = true
    compare(state, listed)
    if (!hasCompared) for (const { id, origin } of Object.values(state.tasks)) if (origin !== 'source' && !known.has(id)) dirty.add(id)
    hasCompared = true
  }

  /** What the run is told now. */
  function takeNews(): Pick<SyncOutcome, 'tasks' | 'removed'> {
    const all = [...news]
    for (const [id, { was }] of all) reported.set(id, reported.get(id) ?? was)
    news.clear()
    isRemembered &&= all.length === 0
    return { tasks: all.flatMap(([, { task }]) => task ?? []), removed: all.flatMap(([id, { task }]) => (task ? [] : [id])) }
  }

  /** As long as the journal does not have it, the next process must find it new as well. */
  async function memorize(): Promise<void> {
    const seen = new Map(known)
    for (const [id, was] of [...[...news].map(([each, entry]) => [each, entry.was] as const), ...reported]) {
      if (was) seen.set(id, was)
      else seen.delete(id)
    }
    await memory.save(Object.fromEntries(seen))
    isRemembered = true
  }

  const send = (id: string, change: SourceUpdate): Promise<void> =>
    change.status === 'done' || change.status === 'cancelled' ? store.close(id, change) : store.update(id, change)

  /** Somebody else's word on a task goes before what the run has told of it and is not kept yet. */
  async function giveWay(at: string): Promise<void> {
    for (const [id, { task }] of news) {
      if (task && told.has(id)) await send(id, { status: task.status, reason: task.reason, summary: null, files: [], at })
    }
  }

  async function tell(task: TaskState, state: RunState): Promise<void> {
    const status = sourceStatus(task.status)
    if (known.get(task.id)?.[0] === status && !told.has(task.id)) return
    // Somebody took it out: it is not put back.
    if (!known.has(task.id) && (task.origin === 'source' || status === 'cancelled')) return
    const change: SourceUpdate = {
      status, reason: task.reason, summary: task.summary, files: task.files, at: task.endedAt ?? task.startedAt ?? state.lastAt,
    }
    if (!known.has(task.id)) {
      added.add(task.id)
      // What was done before it could be told of is told as any other: with what was done.
      const isClosed = status === 'done' || status === 'cancelled'
      await store.add({ ...wordsOf(task), status: isClosed ? 'todo' : status, reason: isClosed ? null : task.reason }, state.lastAt)
      if (isClosed) await send(task.id, change)
    } else await send(task.id, change)
    put(task.id, [status, known.get(task.id)?.[1] ?? printOf(wordsOf(task))])
  }

  return {
    look: (work, state) => turn(async () => {
      await remember()
      const claimed = async (): Promise<SyncOutcome['claim']> => {
        if (work.claim === null) return null
        const isOnlyHere = added.has(work.claim) || !known.has(work.claim)
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
        if (claim && there) put(claim.task, ['doing', there[1]])
        return { kind: 'sync', ...changes, claim, complete: store.isComplete?.() ?? false, problems: [] }
      } catch (error) {
        if (!(error instanceof LooperError) || error.code !== 'CONFIG_BACKLOG') throw error
        // The run goes on with what it knows; nobody else can have taken a task of a backlog that cannot be read.
        const claim = work.claim === null ? null : { task: work.claim, ok: true }
        return { kind: 'sync', tasks: [], removed: [], claim, complete: false, ...troubleOf(error) }
      }
    }),

    touch(event, state) {
      if (event.type === 'source.looked') reported.clear()
      else if (event.type === 'task.finished') dirty.add(event.task)
      else if (event.type === 'task.reopened') event.tasks.forEach((id) => dirty.add(id))
      else if (event.type === 'task.added' && event.origin !== 'source') dirty.add(event.task.id)
      else if (event.type === 'run.ended') for (const [id, [status]] of known) if (status === 'doing' && state.tasks[id]) dirty.add(id)
    },

    isDirty: (state) => dirty.size > 0 || told.size > 0 || isToBeMarked(state) || (!hasCompared && (state.backlog?.looks ?? 0) > 0),

    flush: (state) => turn(async () => {
      await remember()
      await pull(state)
      await giveWay(state.lastAt)
      for (const id of [...dirty].filter((each) => !news.has(each))) {
        const task = Object.hasOwn(state.tasks, id) ? state.tasks[id] : undefined
        if (task) await tell(task, state)
        dirty.delete(id)
      }
      if (isToBeMarked(state)) await store.complete?.(run, state.lastAt)
      await store.settle()
      isMarked ||= isToBeMarked(state)
      before.clear()
      told.clear()
      added.clear()
      await memorize()
    }),
  }
}

const wordsOf = ({
  id, title, description, dependsOn, criteria, files, type, priority,
}: TaskState): Omit<SourceTask, 'status' | 'reason'> =>
  ({ id, title, description, dependsOn, criteria, files, type, priority })

const printOf = ({
  title, description, dependsOn, criteria, files, type, priority,
}: Omit<SourceTask, 'id' | 'status' | 'reason'>): string =>
  createHash('sha1').update(JSON.stringify([title, description, dependsOn, criteria, files, type, priority])).digest('base64').slice(0, 12)

function troubleOf(error: LooperError): Pick<SyncOutcome, 'problems' | 'text'> {
  const { problems, text } = error.details
  const list = Array.isArray(problems) ? problems.filter((each) => typeof each === 'string').slice(0, mostProblems) : []
  return { problems: list.length > 0 ? list : [error.message], ...(typeof text === 'string' ? { text: text.slice(0, mostText) } : {}) }
}
