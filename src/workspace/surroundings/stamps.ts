/**
 * Takes stamps of files: metadata from `lstat` that changes when a file is written, replaced or gets another mode. Only
 * the content of settings files is read, so hundreds of files take about a millisecond.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, type Dirent, type Stats } from 'node:fs'
import { join } from 'node:path'
import { readPlainBytes } from '../../platform/plain-file.ts'

/** Keys are absolute paths or names of refs. */
export type Stamps = Map<string, string>

/** Null when the path does not exist or cannot be read. */
export function stampOf(path: string): string | null {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  if (!found) return null
  if (!found.isSymbolicLink()) return textOf(found)
  const target = attempt(() => statSync(path, { throwIfNoEntry: false }))
  return `${textOf(found)} → ${target ? textOf(target) : ''}`
}

/** The time of a folder is left out: it changes with its entries, which have their own stamps where needed. */
const textOf = (found: Stats): string =>
  found.isDirectory() ? `folder ${found.mode}` : `${found.mode} ${found.size} ${found.mtimeMs} ${found.ino}`

/** The stamp of a folder whose entries have no stamps. */
export function folderStamp(path: string): string | null {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  return found ? `${textOf(found)} ${found.mtimeMs}` : null
}

/** Most of the folders do not exist, and an exception takes longer than a test for existence. */
export const entriesOf = (folder: string): Dirent[] =>
  existsSync(folder) ? (attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) : []

const mostBytes = 1 << 28

/** Null when it is not a plain file: an agent may put a pipe there, and reading it would block for ever. */
export const bytesAt = (file: string): Buffer | null => readPlainBytes(file, mostBytes)
export const textAt = (file: string): string | null => bytesAt(file)?.toString('utf8') ?? null

/** Adds the stamps of a folder's entries. A subfolder is only recorded as present. */
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

const mostContent = 1 << 20

/** The same with a hash of the content, for files whose times an agent has a reason to put back. */
export function stampContent(stamps: Stamps, path: string): void {
  const stamp = stampOf(path)
  if (stamp === null) return
  const target = attempt(() => statSync(path, { throwIfNoEntry: false }))
  const isRead = target?.isFile() === true && target.size <= mostContent
  const bytes = isRead ? attempt(() => readFileSync(path)) : null
  stamps.set(path, `${stamp} ${bytes ? createHash('sha256').update(bytes).digest('hex') : ''}`)
}

/** Null when a file is being replaced or this user may not read it. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
