/**
 * Locks a task list with the protocol of Claude Code 2.1. A lock is an empty folder beside the file, named after it
 * with the suffix `.lock`; only one process can create it. A lock not touched for ten seconds is stale: its process
 * died. New ids are assigned under the lock of the file `.lock`, a task is changed under the lock of its own file.
 * Claude Code waits only about two seconds, so no process may hold a lock for long.
 */
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { errnoOf, ioError } from '../../platform/files.ts'

const staleMs = 10_000
/** Longer than the lock of a dead process takes to become stale. */
const usualPatienceMs = 20_000

/**
 * `check` throws when another process has removed the lock because this one was suspended for too long: nothing may be
 * written then.
 */
export interface Held {
  check(): Promise<void>
}

/** Throws ENVIRONMENT_SOURCE when the lock cannot be acquired in time. */
export async function withLock<T>(
  file: string,
  job: (held: Held) => Promise<T>,
  patienceMs = usualPatienceMs,
): Promise<T> {
  const folder = `${file}.lock`
  await acquire(folder, patienceMs)
  const made = await markOf(folder)
  const isOurs = async (): Promise<boolean> => made !== null && (await markOf(folder)) === made
  try {
    return await job({
      async check() {
        if (!(await isOurs())) throw new LooperError('ENVIRONMENT_SOURCE', `the lock ${folder} was removed`)
      },
    })
  } finally {
    if (await isOurs()) await rmdir(folder).catch(() => {})
  }
}

async function acquire(folder: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await mkdir(folder)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw ioError(error, folder)
    }
    if (await isStale(folder)) await rmdir(folder).catch(() => {})
    else if (performance.now() > deadline) {
      const hint = 'Check for a stuck Claude Code process, then try again.'
      throw new LooperError('ENVIRONMENT_SOURCE', `the lock ${folder} is held by another process`, { hint })
    } else await delay(10 + Math.random() * 30)
  }
}

async function isStale(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > staleMs
}

/** Distinguishes this lock folder from a later one with the same name. */
async function markOf(folder: string): Promise<string | null> {
  const found = await stat(folder, { bigint: true }).catch(() => null)
  return found === null ? null : `${found.ino}:${found.birthtimeNs}:${found.mtimeNs}`
}
