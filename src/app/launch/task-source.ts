/** Opens the source of a run's tasks, and keeps it up to date while the run is live. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { Clock } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import type { SourceKind, TaskStore } from '../../model/source.ts'
import { idObjection } from '../../model/task-id.ts'
import { readPlainFile } from '../../platform/plain-file.ts'
import { writeAtomic } from '../../platform/files.ts'
import { quote } from '../../platform/quote.ts'
import { keepInStep, type TaskSource } from '../../sources/in-step.ts'
import { createMirror } from '../../sources/mirror.ts'
import type { Memory, SourceSnapshot } from '../../sources/sync-state.ts'

export interface SourceOptions {
  /** The folder of the run. */
  dir: string
  run: string
  state: RunState
  store: TaskStore
  clock: Clock
  /** The source could not be updated; the update is retried. */
  onTrouble(message: string): void
}

export const openTaskSource = ({ dir, run, state, store, clock, onTrouble }: SourceOptions): TaskSource =>
  keepInStep({
    mirror: createMirror({ store, memory: memoryIn(dir), run, objection }),
    state,
    clock,
    onTrouble,
    documents: () => store.documents?.() ?? [],
  })

function objection(id: string): string | null {
  const why = idObjection(id)
  return why === null ? null : `the id ${quote(id)} cannot be used: ${why}`
}

function memoryIn(dir: string): Memory {
  const path = join(dir, 'source.json')
  return {
    async load() {
      try {
        return JSON.parse(readPlainFile(path, 100_000_000) ?? 'null') as Record<string, SourceSnapshot> | null
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
  /** The name of the list or label; null means the default one. */
  name: string | null
  session: string | null
  env: NodeJS.ProcessEnv
  home: string
  /** Reports a change of the user's own files. */
  onNote?(message: string): void
}

/** Each kind is loaded only when it is used. */
export async function openStore(kind: SourceKind, options: StoreOptions): Promise<TaskStore> {
  const { run, root, backlog, name, session, env, home, onNote = () => {} } = options
  const owner = ownerOf(run, root)
  switch (kind) {
    case 'todo-file':
      return (await import('../../sources/todo-file/store.ts')).createTodoFile(
        join(root, backlog),
        backlog,
        (backup) => {
          onNote(`${backlog} was repaired; the broken file is kept as ${relative(root, backup)}`)
        },
      )
    case 'beads': {
      const { createBeadsStore, sessionLabel } = await import('../../sources/beads/store.ts')
      return ownedBy(
        owner,
        createBeadsStore({ root, env, owner, label: name ?? (session === null ? null : sessionLabel(session)) }),
      )
    }
    case 'claude-tasks': {
      const { findTaskList } = await import('../../sources/claude-tasks/folder.ts')
      const { createClaudeTaskStore } = await import('../../sources/claude-tasks/store.ts')
      return ownedBy(owner, createClaudeTaskStore(await findTaskList({ env, home }, name), { owner }))
    }
  }
}

/**
 * The name in claims. It includes host and checkout, because other machines and repositories see it and may have a run
 * with the same id.
 */
const ownerOf = (run: string, root: string): string =>
  `looper/${run}@${hostname()}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`

const ownedBy = (owner: string, store: TaskStore): TaskStore => ({
  ...store,
  claim: (id, _run, at) => store.claim(id, owner, at),
})

/**
 * Resolves the newest task list to its name when the run starts, so that a resume finds the same list even when newer
 * ones exist.
 */
export async function nameOfSource(
  kind: SourceKind | null,
  name: string | null,
  machine: Pick<StoreOptions, 'env' | 'home'>,
): Promise<string | null> {
  if (kind !== 'claude-tasks' || name !== null) return name
  return basename(await (await import('../../sources/claude-tasks/folder.ts')).findTaskList(machine, null))
}
