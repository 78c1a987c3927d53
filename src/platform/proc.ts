/**
 * What the scans of /proc share. Processes come and go during a scan, so nothing here throws because one is gone. Linux
 * only.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { newestPid, pidRoundMs } from './sweep.ts'

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

/** Whether it belongs to this user and is not this process itself. */
export const isOtherOwn = (pid: number): boolean =>
  pid > 1 && pid !== process.pid && statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.()

/** Threads have numbers of the same kind, those of this process too, and a signal to one ends its whole process. */
export const isProcess = (pid: number): boolean => textOf(`/proc/${pid}/status`).includes(`\nTgid:\t${pid}\n`)

/**
 * Numbers that may be those of processes started from `first` on, `ageMs` ago. Linux counts up until all numbers are
 * used, so those of a short time are few.
 */
export function pidsFrom(first: number, ageMs: number): number[] {
  const newest = newestPid()
  if (ageMs >= pidRoundMs || !(newest >= first - 1)) return readdirSync('/proc').map(Number)
  return Array.from({ length: newest - first + 1 }, (_, index) => first + index)
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended since the scan.
  }
}

const mostRounds = 20

/** Kills what `find` returns, until it finds nothing new. Returns how many processes there were. */
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
