/**
 * Leases of work trees: a few serve any number of tasks, one after the other. Leases are files, so they outlive the
 * process.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorkspaceId } from '../model/work.ts'
import { readNow } from '../platform/files.ts'
import { overwriteFile, replaceFile } from './place.ts'

export interface Lease {
  /** Whose it is, or was last. */
  workspace: WorkspaceId
  /** False: free for another. */
  held: boolean
  /** The work it was got ready for, which tells the attempt. */
  work: string
  /** Where Looper has put its HEAD. */
  head: string
  /** How long the log of its HEAD was then. */
  logged: number
  /** The tree of what was made there, while Looper has laid other files over it. */
  beneath: string | null
  /** Nothing is there that is not kept elsewhere. */
  settled: boolean
}

export interface Slots {
  /** The name of the workspace's own work tree: the one it has, else one that is free, else a new one. */
  of(workspace: WorkspaceId): string
  /** The same, without taking one. */
  peek(workspace: WorkspaceId): string | null
  /** Null when it has never been leased. */
  lease(name: string): Lease | null
  note(name: string, lease: Lease): void
  /** False: an agent may be at work there. True: nothing in it needs keeping. */
  settle(workspace: WorkspaceId, settled: boolean): void
  release(workspace: WorkspaceId): void
  /** Its work tree cannot be used any more, by any workspace: the next call of `of` gives it another. */
  abandon(workspace: WorkspaceId): void
  /** All that have been leased. */
  names(): string[]
  clear(): void
}

export function openSlots(folder: string): Slots {
  const leases = readLeases(folder)
  const held = new Map<WorkspaceId, string>()
  /** The one used last comes first: its files are the newest. */
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

  const note = (name: string, lease: Lease): void => {
    leases.set(name, lease)
    const file = leaseFile(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    overwriteFile(file, JSON.stringify(lease).padEnd(leaseBytes))
  }

  return {
    note,
    of: (workspace) => held.get(workspace) ?? take(workspace),
    peek: (workspace) => held.get(workspace) ?? null,
    lease: (name) => leases.get(name) ?? null,
    settle(workspace, settled) {
      const lease = leases.get(held.get(workspace) ?? '')
      if (lease?.workspace === workspace) lease.settled = settled
    },
    release(workspace) {
      const name = held.get(workspace)
      const lease = leases.get(name ?? '')
      if (name === undefined || lease?.workspace !== workspace) return
      held.delete(workspace)
      free.push(name)
      note(name, { ...lease, held: false })
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

/** Blanks make up for what is shorter, so that one is written over the other. */
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

/** A lease that cannot be read counts as none: the work tree is free. */
function readLease(file: string): Lease | null {
  try {
    const { workspace, held, work, head, logged, beneath, settled }: Partial<Lease> = JSON.parse(
      readNow(file)?.toString('utf8') ?? '{}',
    )
    if (typeof workspace !== 'string' || typeof work !== 'string' || !isId(head)) return null
    // Only what is free is known to be untouched since.
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
