/**
 * Shared helpers for scans of /proc on Linux. Processes start and end during a scan, so nothing here throws because one
 * is gone.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'

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

const mostRounds = 20

/** Kills the processes that `find` returns until it finds no new one. Returns the number of killed processes. */
export function killFound(find: () => number[]): number {
  const killed = new Set<number>()
  for (let rounds = 0; rounds < mostRounds; rounds++) {
    const pids = find().filter((pid) => !killed.has(pid))
    if (pids.length === 0) break
    for (const pid of pids) {
      killed.add(pid)
      kill(pid)
    }
  }
  return killed.size
}
