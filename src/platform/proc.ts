/**
 * Shared helpers for scans of /proc on Linux. Processes start and end during a scan, so nothing here throws because one
 * is gone.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Empty when the file cannot be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Empty when the folder cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether the process belongs to this user and is not this process. */
export const isOtherOwn = (pid: number): boolean =>
  pid > 1 && pid !== process.pid && statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.()

/**
 * Thread ids come from the same range as pids, and a signal to a thread ends its whole process. So threads must be
 * excluded.
 */
export const isProcess = (pid: number): boolean => textOf(`/proc/${pid}/status`).includes(`\nTgid:\t${pid}\n`)

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process ended since the scan.
  }
}

/** A process that lasts longer is stuck in the kernel or forks faster than it can be killed. */
const giveUpMs = 10_000

/**
 * Kills the processes that `find` returns until it finds none. A killed process still completes the system call that it
 * is in, for example a `mkdir`, so this waits for its end. Resolves with the number of killed processes.
 */
export async function killFound(find: () => number[]): Promise<number> {
  const killed = new Set<number>()
  const begun = performance.now()
  for (let pids = find(); pids.length > 0 && performance.now() - begun < giveUpMs; pids = find()) {
    for (const pid of pids) {
      killed.add(pid)
      kill(pid)
    }
    await sleep(1)
  }
  return killed.size
}
