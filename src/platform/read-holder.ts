/**
 * Reads lock.json, the record of a run's holder. It is for people, so an invalid file only means that the holder is
 * unknown.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunHolder } from '../model/ports.ts'
import { errnoOf } from './files.ts'

/** Null when the file is missing or names a process that is gone; the current holder has not written it yet. */
export async function readHolder(runDir: string): Promise<RunHolder | null> {
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
