/**
 * Stamps of files: what `lstat` says shows whether a file was written, replaced, or got another mode. No content is
 * read, so that hundreds of files cost about a millisecond.
 */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'
import { readPlainBytes } from '../../platform/plain-file.ts'

/** By absolute path or name of a ref. */
export type Stamps = Map<string, string>

/** Null when nothing is there, or it cannot be seen. */
export function stampOf(path: string): string | null {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  if (!found) return null
  if (!found.isSymbolicLink()) return textOf(found)
  const target = attempt(() => statSync(path, { throwIfNoEntry: false }))
  return `${textOf(found)} → ${target ? textOf(target) : ''}`
}

/** A folder's time changes with its entries, and those have stamps of their own where it matters. */
const textOf = (found: Stats): string =>
  found.isDirectory() ? `folder ${found.mode}` : `${found.mode} ${found.size} ${found.mtimeMs} ${found.ino}`

/** The same for a folder whose entries have no stamps. */
export function folderStamp(path: string): string | null {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  return found ? `${textOf(found)} ${found.mtimeMs}` : null
}

export const entriesOf = (folder: string): Dirent[] => attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []

const mostBytes = 1 << 28

/** Null when it is no plain file: an agent may put a pipe there, and reading that would never end. */
export const bytesAt = (file: string): Buffer | null => readPlainBytes(file, mostBytes)
export const textAt = (file: string): string | null => bytesAt(file)?.toString('utf8') ?? null

/** Adds the stamps of a folder's entries; those of folders only say that they are there. */
export function stampEntries(stamps: Stamps, folder: string, isOwn: (path: string) => boolean): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (isOwn(path)) continue
    const stamp = entry.isDirectory() ? 'folder' : stampOf(path)
    if (stamp !== null) stamps.set(path, stamp)
  }
}

export function stampInto(stamps: Stamps, path: string): void {
  const stamp = stampOf(path)
  if (stamp !== null) stamps.set(path, stamp)
}

/** A file that is being replaced, or that this user may not see. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
