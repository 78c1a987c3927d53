/**
 * Decides by sessions that a turn left no process. Each turn, and each other command, starts in a session of its own. A
 * descendant can start a new session, but it cannot enter another one: a process in the session of Looper or of another
 * command is not its own. Linux only.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isInOrder, newestPid, pidsBetween, type First } from './pids.ts'
import { textOf } from './proc.ts'

const onLinux = process.platform === 'linux'

let own: number | null | undefined

/** Sessions of running children: the pids of their first processes. */
const led = new Set<number>()

/** Records the session that the child leads until it exits. Call it before anything else listens to the child. */
export function recordSession<T extends ChildProcess>(child: T): T {
  const { pid } = child
  if (pid === undefined) return child
  led.add(pid)
  child.once('exit', () => led.delete(pid))
  return child
}

/** More rounds than this mean that processes start faster than they can be looked at. */
const maxRounds = 20

/**
 * Whether every process that started at or after `first` belongs to others. False also means that it is not known.
 * `leader` leads the session of the turn. A process that starts during the scan has a higher pid, so the scan repeats
 * until no pid is new.
 */
export function noneOfTurn(leader: number, first: First): boolean {
  if (!onLinux || !isInOrder(first)) return false
  let next = first.pid
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const newest = newestPid()
    if (!(newest >= first.pid - 1)) return false
    if (newest < next) return true
    if (!pidsBetween(next, newest).every((pid) => isOfOthers(pid, leader))) return false
    next = newest + 1
  }
  return false
}

/** Whether the process has ended or cannot be one of the turn. */
export function isOfOthers(pid: number, leader: number): boolean {
  const session = sessionOf(pid)
  return session === null || session === (own ??= sessionOf(process.pid)) || (session !== leader && led.has(session))
}

/**
 * Null when the process has ended, or when its session was started outside the pid namespace, as that of a kernel
 * thread: no turn has such a process.
 */
function sessionOf(pid: number): number | null {
  // A failed read throws, which is slow; most pids of ended processes are found here.
  const text = existsSync(`/proc/${pid}`) ? textOf(`/proc/${pid}/stat`) : ''
  const [state = 'X', , , session] = text.slice(text.lastIndexOf(')') + 2).split(' ', 4)
  return 'ZXx'.includes(state) || session === undefined ? null : Number(session) || null
}
