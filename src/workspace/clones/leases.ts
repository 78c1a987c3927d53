/**
 * Leases of work trees: a few work trees serve any number of tasks, one after the other. Leases are files, so they
 * outlive the process.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorkspaceId } from '../../model/work.ts'
import { readNow } from '../../platform/files.ts'
import { overwriteFile, replaceFile } from './work-tree.ts'

export interface Lease {
  /** The current or last workspace of the work tree. */
  workspace: WorkspaceId
  /** False: free for another workspace. */
  held: boolean
  /** The work that it was prepared for; the id includes the attempt. */
  work: string
  /** The commit at which Looper put HEAD. */
  head: string
  /** The size of the HEAD reflog at that time. */
  logged: number
  /** The tree of the agent's files while Looper has laid other files over them. */
  beneath: string | null
  /** Everything in the work tree is also kept elsewhere. */
  settled: boolean
}

export interface Leases {
  /** Returns the name of the workspace's work tree. Takes a free one, or a new one, when it has none. */
  acquire(workspace: WorkspaceId): string
  /** The name of the work tree that the workspace has; null when it has none. */
  current(workspace: WorkspaceId): string | null
  /** Null when the work tree was never leased. */
  lease(name: string): Lease | null
  record(name: string, lease: Lease): void
  /** False: an agent may be working there. True: nothing in it needs to be saved. */
  settle(workspace: WorkspaceId, settled: boolean): void
  release(workspace: WorkspaceId): void
  /** Marks the work tree as unusable for all workspaces. The next `acquire` returns another one. */
  abandon(workspace: WorkspaceId): void
  /** All work trees that have been leased. */
  names(): string[]
  clear(): void
}

export function openLeases(folder: string): Leases {
  const leases = readLeases(folder)
  const held = new Map<WorkspaceId, string>()
  /** The most recently used is taken first, because its files are the newest. */
  const free: string[] = []
  for (const [name, lease] of leases) {
    if (lease.held && !held.has(lease.workspace)) held.set(lease.workspace, name)
    else free.push(name)
  }
  let made = Math.max(0, ...[...leases.keys(), ...namesOf(folder, 'abandoned')].map((name) => Number(name.slice(1))))

  function take(workspace: WorkspaceId): string {
    const own = free.findIndex((name) => leases.get(name)?.workspace === workspace)
    const name = (own >= 0 ? free.splice(own, 1)[0] : free.pop()) ?? `w${++made}`
    held.set(workspace, name)
    return name
  }

  const record = (name: string, lease: Lease): void => {
    leases.set(name, lease)
    const file = leaseFile(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    overwriteFile(file, JSON.stringify(lease).padEnd(leaseBytes))
  }

  return {
    record,
    acquire: (workspace) => held.get(workspace) ?? take(workspace),
    current: (workspace) => held.get(workspace) ?? null,
    lease: (name) => leases.get(name) ?? null,
    settle(workspace, settled) {
      const lease = leases.get(held.get(workspace) ?? '')
      if (lease?.workspace === workspace) lease.settled = settled
    },
    release(workspace) {
      const name = held.get(workspace)
      if (name === undefined) return
      held.delete(workspace)
      free.push(name)
      const lease = leases.get(name)
      if (lease?.workspace === workspace) record(name, { ...lease, held: false })
    },
    abandon(workspace) {
      const name = held.get(workspace)
      if (name === undefined) return
      held.delete(workspace)
      leases.delete(name)
      mkdirSync(join(folder, '.state'), { recursive: true })
      replaceFile(join(folder, '.state', `${name}.abandoned`), '')
    },
    names: () => [...leases.keys()],
    clear() {
      leases.clear()
      held.clear()
      free.length = 0
      made = 0
    },
  }
}

/** Leases are padded with blanks to this length, so that one can overwrite another in place. */
const leaseBytes = 512

const leaseFile = (folder: string, name: string): string => join(folder, '.state', `${name}.lease`)

function readLeases(folder: string): Map<string, Lease> {
  const leases = new Map<string, Lease>()
  const abandoned = namesOf(folder, 'abandoned')
  for (const name of namesOf(folder, 'lease')) {
    const lease = abandoned.includes(name) ? null : readLease(leaseFile(folder, name))
    if (lease) leases.set(name, lease)
  }
  return leases
}

/** Names of work trees that have a file of this kind. */
const namesOf = (folder: string, kind: 'lease' | 'abandoned'): string[] =>
  namesIn(join(folder, '.state')).flatMap((file) => new RegExp(String.raw`^(w\d{1,6})\.${kind}$`).exec(file)?.[1] ?? [])

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/** An unreadable lease counts as none, so the work tree is free. */
function readLease(file: string): Lease | null {
  try {
    const { workspace, held, work, head, logged, beneath, settled }: Partial<Lease> = JSON.parse(
      readNow(file)?.toString('utf8') ?? '{}',
    )
    if (typeof workspace !== 'string' || typeof work !== 'string' || !isId(head)) return null
    // A held work tree may have changed since, so only a free one can count as settled.
    const known = { held: held === true, settled: held !== true && settled === true }
    return {
      workspace,
      work,
      head,
      logged: typeof logged === 'number' ? logged : 0,
      beneath: isId(beneath) ? beneath : null,
      ...known,
    }
  } catch {
    return null
  }
}

const isId = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{40,64}$/.test(text)
