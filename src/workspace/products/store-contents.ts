/** Lists the entries of the store, removes them, and keeps the store below its limits. */
import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { acquireLock, type Lock } from '../../platform/lock.ts'
import { realPath } from '../../platform/real-path.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { readBytes } from './entry.ts'
import { isInUse, lastUsedMs } from './entry-users.ts'
import { sparesIn } from './spares.ts'

export interface StoreEntry {
  /** The folder of the entry: `<store>/<key of the checkout>/<key of the set-up>`. */
  folder: string
  bytes: number
  usedMs: number
  /** A live process uses it, or is making it. */
  inUse: boolean
}

export interface StoreLimits {
  bytes: number
  entries: number
}

/** Together with the least recently used, the number of bytes decides which entries go. */
export const mostEntries = 64

/** One process at a time makes or removes an entry. Null when another one does. */
export const lockEntry = (folder: string): Promise<Lock | null> => acquireLock(`setup:${realPath(folder)}`)

/** Where an entry is put together. A process that was killed leaves this folder behind. */
export const makingFolder = (folder: string): string => `${folder}.making`
const isEntryName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

/** All entries, the least recently used first. Entries of other checkouts are included. */
export function listStore(store: string): StoreEntry[] {
  const folders = namesIn(store).flatMap((checkout) =>
    namesIn(join(store, checkout))
      .filter(isEntryName)
      .map((name) => join(store, checkout, name)),
  )
  return folders
    .map((folder) => ({
      folder,
      bytes: readBytes(folder) * (1 + sparesIn(folder).length),
      usedMs: lastUsedMs(folder),
      inUse: isInUse(folder),
    }))
    .toSorted((a, b) => a.usedMs - b.usedMs)
}

/** Removes the least recently used entries until the store is below its limits. Entries in use stay. */
export async function trimStore(store: string, limits: StoreLimits): Promise<void> {
  const entries = listStore(store)
  let [bytes, count] = [entries.reduce((sum, entry) => sum + entry.bytes, 0), entries.length]
  for (const entry of entries) {
    if (bytes <= limits.bytes && count <= limits.entries) break
    if (entry.inUse || !(await removeEntry(entry.folder))) continue
    bytes -= entry.bytes
    count -= 1
  }
  await removeLeftovers(store)
}

/** False when another process is making it. It disappears at once, so that no part of it is copied. */
export async function removeEntry(folder: string): Promise<boolean> {
  const lock = await lockEntry(folder)
  if (lock === null) return false
  try {
    await discardEntry(folder)
    return true
  } finally {
    await lock.release()
  }
}

/** The caller holds the lock of the entry, or the entry is damaged. */
export async function discardEntry(folder: string): Promise<void> {
  const aside = `${folder}.gone-${randomBytes(6).toString('hex')}`
  try {
    renameSync(folder, aside)
  } catch {
    return
  }
  await removeTree(aside).catch(() => {})
}

/** Removes folders of processes that were killed while they made or removed an entry. */
export async function removeLeftovers(store: string): Promise<void> {
  for (const checkout of namesIn(store)) {
    for (const name of namesIn(join(store, checkout)).filter((each) => !isEntryName(each))) {
      const path = join(store, checkout, name)
      const lock = await lockEntry(join(store, checkout, basename(name).slice(0, 64)))
      if (lock === null) continue
      await removeTree(path).catch(() => {})
      await lock.release()
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
