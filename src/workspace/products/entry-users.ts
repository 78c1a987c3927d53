/** Records which processes use an entry and when it was last used, so that a live run keeps its entries. */
import { mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { readNow } from '../../platform/files.ts'
import { identityOf, isAlive, type ProcessIdentity } from '../../platform/process-identity.ts'
import { replaceFile } from '../clones/work-tree.ts'

const usersOf = (folder: string): string => join(folder, 'users')

/** The entry may be removed by another process at the same time. The caller notices that later. */
export function recordUse(folder: string): void {
  try {
    mkdirSync(usersOf(folder), { recursive: true })
    replaceFile(join(usersOf(folder), String(process.pid)), JSON.stringify(identityOf(process.pid)))
    const now = new Date()
    utimesSync(usersOf(folder), now, now)
  } catch {
    // The entry is gone.
  }
}

/** The time of the last use in milliseconds; 0 when it is not known. */
export const lastUsedMs = (folder: string): number => statSync(usersOf(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0

export function isInUse(folder: string): boolean {
  try {
    return readdirSync(usersOf(folder)).some((name) => isLive(join(usersOf(folder), name)))
  } catch {
    return false
  }
}

function isLive(file: string): boolean {
  try {
    const { pid, startTime, bootId }: Partial<ProcessIdentity> = JSON.parse(readNow(file)?.toString('utf8') ?? '{}')
    return pid !== undefined && startTime !== undefined && bootId !== undefined && isAlive({ pid, startTime, bootId })
  } catch {
    return false
  }
}
