/**
 * Who holds a run, as its process last wrote down: for people, so whatever is odd about the file only means that nobody
 * knows.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from './files.ts'

export interface Holder {
  pid: number
  /** ISO time. */
  heartbeatAt: string
}

/**
 * Null when it is not told, or told by a process that is gone: the one that holds the run now has not come to it yet.
 */
export async function readHolder(runDir: string): Promise<Holder | null> {
  try {
    const { pid, heartbeatAt } = JSON.parse(await readFile(join(runDir, 'lock.json'), 'utf8')) as Record<
      string,
      unknown
    >
    if (typeof pid !== 'number' || typeof heartbeatAt !== 'string' || Number.isNaN(Date.parse(heartbeatAt))) return null
    return exists(pid) ? { pid, heartbeatAt } : null
  } catch {
    return null
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}
