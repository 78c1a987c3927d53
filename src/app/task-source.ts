/** The source of a run's tasks, kept in step with it while it runs. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { SourceKind, TaskStore } from '../model/source.ts'
import { idObjection } from '../model/task-id.ts'
import type { SyncOutcome, SyncWork } from '../model/work.ts'
import { readPlainFile } from '../platform/plain-file.ts'
import { writeAtomic } from '../platform/files.ts'
import { quote } from '../platform/quote.ts'
import { createMirror, type Memory, type Seen } from '../sources/mirror.ts'

export interface TaskSource {
  look(work: SyncWork, state: RunState): Promise<SyncOutcome>
  touch(event: Event): void
  /** Files that the tasks were taken from. */
  documents(): string[]
  /** Everything the run knows is there when this resolves. */
  settle(): Promise<void>
  stop(): void
}

export interface SourceOptions {
  /** The run's own folder. */
  dir: string
  run: string
  state: RunState
  store: TaskStore
  /** The source could not be brought up to date; it is tried again. */
  onTrouble(message: string): void
}

/** At least so long between two writes, and so many times what the last one took: a large file must not slow the run down. */
const restMs = 1_000
const restFactor = 20

export function openTaskSource({ dir, run, state, store, onTrouble }: SourceOptions): TaskSource {
  const mirror = createMirror({ store, memory: memoryIn(dir), run, objection })
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> = Promise.resolve()
  let took = 0
  let trouble = ''
  let isStopped = false

  const flush = (): Promise<void> => flushing = flushing.catch(() => {}).then(async () => {
    if (!mirror.isDirty(state)) return
    const begun = performance.now()
    await mirror.flush(state)
    took = performance.now() - begun
    trouble = ''
  })
  const tell = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== trouble) onTrouble(message)
    trouble = message
  }
  /** What could not be put there now is tried again later, whether or not anything else happens meanwhile. */
  const flushOrRetry = (): void => void flush().catch((error: unknown) => {
    tell(error)
    if (!isStopped) soon()
  })
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null
      flushOrRetry()
    }, Math.max(restMs, took * restFactor))
  }
  const rest = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  return {
    look: (work, now) => mirror.look(work, now),
    touch(event) {
      mirror.touch(event, state)
      // Whoever waits has time, and so has whoever looks.
      if (event.type === 'work.started' && event.work.kind === 'wait' && !event.work.id.startsWith('limit/')) flushOrRetry()
      else if (mirror.isDirty(state)) soon()
    },
    documents: () => store.documents?.() ?? [],
    async settle() {
      rest()
      await flushing.catch(() => {})
      const isTold = !mirror.isDirty(state)
      await flush()
      // What was only seen is kept as well: the next process would take it for somebody's change, and undo what a person asks of the run.
      if (isTold && (state.backlog?.looks ?? 0) > 0) await mirror.flush(state).catch(() => {})
    },
    stop() {
      isStopped = true
      rest()
    },
  }
}

function objection(id: string): string | null {
  const why = idObjection(id)
  return why === null ? null : `the id ${quote(id)} cannot be used: ${why}`
}

function memoryIn(dir: string): Memory {
  const path = join(dir, 'source.json')
  return {
    async load() {
      try {
        return JSON.parse(readPlainFile(path, 100_000_000) ?? 'null') as Record<string, Seen> | null
      } catch {
        return null
      }
    },
    save: (seen) => writeAtomic(path, JSON.stringify(seen), { mode: 0o600 }),
  }
}

export interface StoreOptions {
  run: string
  root: string
  backlog: string
  /** Which one of its kind; null: the usual one. */
  name: string | null
  session: string | null
  env: NodeJS.ProcessEnv
  home: string
  /** Something that concerns the user's own files. */
  onNote?(message: string): void
}

/** Each kind is loaded only when it is used. */
export async function openStore(kind: SourceKind, options: StoreOptions): Promise<TaskStore> {
  const { run, root, backlog, name, session, env, home, onNote = () => {} } = options
  const owner = ownerOf(run, root)
  switch (kind) {
    case 'todo-file':
      return (await import('../sources/todo-file/store.ts')).createTodoFile(join(root, backlog), backlog, (backup) => {
        onNote(`${backlog} was mended; the broken one is kept as ${relative(root, backup)}`)
      })
    case 'beads': {
      const { createBeadsStore, sessionLabel } = await import('../sources/beads/store.ts')
      return ownedBy(owner, createBeadsStore({ root, env, owner, label: name ?? (session === null ? null : sessionLabel(session)) }))
    }
    case 'claude-tasks': {
      const { findTaskList } = await import('../sources/claude-tasks/folder.ts')
      const { createClaudeTaskStore } = await import('../sources/claude-tasks/store.ts')
      return ownedBy(owner, createClaudeTaskStore(await findTaskList({ env, home }, name), { owner }))
    }
  }
}

/** Others see it there, on other machines and in other repositories too, where a run may have the same name. */
const ownerOf = (run: string, root: string): string =>
  `looper/${run}@${hostname()}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`

const ownedBy = (owner: string, store: TaskStore): TaskStore => ({ ...store, claim: (id, _run, at) => store.claim(id, owner, at) })

/** Which task list a new run works on: it has to find the same one again, however many newer ones there are by then. */
export async function nameOfSource(
  kind: SourceKind | null, name: string | null, machine: Pick<StoreOptions, 'env' | 'home'>,
): Promise<string | null> {
  if (kind !== 'claude-tasks' || name !== null) return name
  return basename(await (await import('../sources/claude-tasks/folder.ts')).findTaskList(machine, null))
}
