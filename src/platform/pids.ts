/** Lists processes by pid. Linux assigns pids in increasing order until the range is used up, then starts again. */
import { readdirSync } from 'node:fs'
import { factsOf } from './process-identity.ts'
import { textOf } from './proc.ts'

/** The system needs at least this long to use all pids and start reusing them. */
const pidRoundMs = 1_000
/** Up to this many pids are tried one by one. Listing /proc takes longer than that. */
const fewPids = 64

/**
 * Pids of the processes on this machine, without pid 1. Kernel threads are left out, because they belong to no user and
 * are most of what an idle machine shows.
 */
export function processIds(): number[] {
  const threads = kernelThreads()
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && !threads.has(pid))
}

/** The parent of all kernel threads has pid 2, except in a container. */
function kernelThreads(): Set<number> {
  if (factsOf(2)?.kernel !== true) return new Set()
  return new Set([2, ...textOf('/proc/2/task/2/children').split(' ').map(Number)])
}

/** NaN when the system does not report it. */
export const newestPid = (): number => Number(textOf('/proc/loadavg').trimEnd().split(' ').at(-1) || NaN)

/** Candidate pids of processes from `first` to `last`; some may be gone or be threads. */
export const pidsBetween = (first: number, last: number): number[] =>
  last - first < fewPids
    ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
    : processIds().filter((pid) => pid >= first && pid <= last)

/** The lowest pid of something that started. */
export interface First {
  pid: number
  /** The time since it was known that no pid has been reused after this one. */
  ageMs: number
}

/** The pids from the first on have not been reused, so everything that started later has a higher one. */
export const isInOrder = ({ ageMs }: First): boolean => ageMs < pidRoundMs

/** Candidate pids of processes that started at or after `first`. */
export function pidsFrom(first: First): number[] {
  const newest = newestPid()
  return isInOrder(first) && newest >= first.pid - 1 ? pidsBetween(first.pid, newest) : processIds()
}

export interface PidWatch {
  /** Call it several times within the time in which pids can be reused. */
  probe(): void
  first(): First
}

/** Watches that no pid is reused after this one, which was assigned `ageMs` ago. */
export function watchPids(pid: number, ageMs: number): PidWatch {
  let newest = pid
  let seenAt = performance.now() - ageMs
  const first = (): First => ({ pid, ageMs: performance.now() - seenAt })
  return {
    probe() {
      const now = newestPid()
      seenAt = isInOrder(first()) && now >= newest ? performance.now() : -Infinity
      newest = now
    },
    first,
  }
}
