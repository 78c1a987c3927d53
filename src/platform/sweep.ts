/**
 * Finds and ends processes by the mark in their environment. Process groups do not suffice, because agents start
 * children in their own sessions.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { markVariable } from './mark.ts'
import { isInOrder, newestPid, pidsBetween, processIds, type First } from './pids.ts'
import { fieldsOf, parseProcStat } from './process-identity.ts'

export interface MarkedProcess {
  pid: number
  mark: string
}

export interface EndOptions {
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number
  /** Selects among processes whose marks have the prefix, because `run:T1:1` is also a prefix of `run:T1:10`. */
  only?: (mark: string, pid: number) => boolean
  /** The lowest pid that can have the mark. It makes the scan fast. */
  first?: First
}

const defaultGraceMs = 300
/** A process that lasts longer is stuck in the kernel or forks faster than it can be killed. */
const giveUpMs = 10_000
/** The number of empty scans that suffice when a scan may have missed a process. */
const maxEmptyScans = 10

/** Processes of this user, other than this one, whose mark starts with the prefix. */
export const findMarked = (prefix: string): MarkedProcess[] =>
  process.platform === 'linux' ? scanProc(prefix) : askPs(prefix)

/** Whether the process has a mark of any run in its environment. Linux only. */
export const isMarked = (pid: number): boolean => markOf(pid, '') !== null

/** Resolves with the number of ended processes when none is left, or after it gave up. */
export async function endMarked(prefix: string, options: EndOptions = {}): Promise<number> {
  const isMeant = ({ mark, pid }: MarkedProcess): boolean => options.only?.(mark, pid) ?? true
  const noneSince = (from: number): boolean => startedSince(from, prefix)?.every((found) => !isMeant(found)) ?? false
  if (options.first && isInOrder(options.first) && noneSince(options.first.pid)) return 0
  const asked = new Set<number>()
  const begun = performance.now()
  for (let emptyScans = 0; emptyScans < maxEmptyScans;) {
    const newest = newestPid()
    const pids = findMarked(prefix)
      .filter(isMeant)
      .map(({ pid }) => pid)
    if (pids.length === 0) {
      // A process that forked and exited during the scan is missed. Its children have higher pids, so they are searched
      // next.
      if (process.platform !== 'linux' || noneSince(newest + 1)) break
      emptyScans++
      continue
    }
    const waited = performance.now() - begun
    if (waited > giveUpMs) break
    const patient = waited < (options.graceMs ?? defaultGraceMs)
    for (const pid of pids) {
      if (!patient) send(pid, 'SIGKILL')
      else if (!asked.has(pid)) send(pid, 'SIGTERM')
      asked.add(pid)
    }
    await sleep(patient ? 10 : 5)
  }
  return asked.size
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended since the scan.
  }
}

function scanProc(prefix: string): MarkedProcess[] {
  const found: MarkedProcess[] = []
  for (const pid of processIds()) {
    if (pid === process.pid) continue
    const mark = markOf(pid, prefix)
    if (mark !== null) found.push({ pid, mark })
  }
  return found
}

/** More rounds than this mean that processes start faster than they can be inspected. */
const maxRounds = 20

/**
 * Marked processes with a pid from `from` on; null when that cannot be found out. A child has a higher pid than its
 * parent, so the scan repeats until no new pid has appeared.
 */
function startedSince(from: number, prefix: string): MarkedProcess[] | null {
  const found: MarkedProcess[] = []
  let next = from
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const newest = newestPid()
    if (!(newest >= from - 1)) return null
    if (newest < next) return found
    for (const pid of pidsBetween(next, newest)) {
      const mark = markOf(pid, prefix)
      if (mark !== null) found.push({ pid, mark })
    }
    next = newest + 1
  }
  return null
}

function markOf(pid: number, prefix: string): string | null {
  // A failed open throws, which is slow; checking the owner first does not. Root can read every environment.
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
  const uid = process.getuid?.()
  const environment = owner === undefined || (uid !== 0 && owner !== uid) ? null : readEnvironment(pid)
  return environment === null ? null : markIn(environment, Buffer.from(`${markVariable}=${prefix}`))
}

function markIn(environment: Buffer, wanted: Buffer): string | null {
  for (let at = environment.indexOf(wanted); at >= 0; at = environment.indexOf(wanted, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    return environment.toString('utf8', at + markVariable.length + 1, end < 0 ? environment.length : end)
  }
  return null
}

const execMs = 1_000

/**
 * During an exec the kernel shows an empty environment, for longer on a busy machine. So an empty one is read again.
 */
function readEnvironment(pid: number): Buffer | null {
  const begun = performance.now()
  for (let isSettled = false; ;) {
    const environment = readProcFile(`/proc/${pid}/environ`)
    if (environment === null || environment.length > 0) return environment
    if (isInExec(pid)) Atomics.wait(pause, 0, 0, 1)
    // The exec may have ended since the environment was read, so it is read once more.
    else if (isSettled) return null
    else isSettled = true
    if (performance.now() - begun > execMs) return null
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))
/** The index of `env_end` in /proc/<pid>/stat, counted from the process state. */
const environmentEnd = 48

/** During an exec the environment has no address yet. An environment that is empty on purpose has one. */
function isInExec(pid: number): boolean {
  const text = readProcFile(`/proc/${pid}/stat`)?.toString('latin1') ?? ''
  const facts = parseProcStat(text)
  return facts !== null && !facts.zombie && !facts.kernel && fieldsOf(text)[environmentEnd] === '0'
}

let buffer = Buffer.allocUnsafeSlow(128 * 1024)

/** The result is valid until the next call, because all calls share one buffer. */
function readProcFile(path: string): Buffer | null {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    let size = 0
    for (;;) {
      const count = readSync(file, buffer, size, buffer.length - size, null)
      if (count === 0) return buffer.subarray(0, size)
      size += count
      if (size === buffer.length) buffer = Buffer.concat([buffer], 2 * size)
    }
  } catch {
    return null
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function askPs(prefix: string): MarkedProcess[] {
  const { stdout } = spawnSync('/bin/ps', ['-E', '-x', '-ww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return parsePsEnvironments(stdout ?? '', prefix).filter(({ pid }) => pid !== process.pid)
}

/** Each line is a pid, the command line, and the environment, all separated by spaces. */
export function parsePsEnvironments(text: string, prefix: string): MarkedProcess[] {
  const found: MarkedProcess[] = []
  for (const line of text.split('\n')) {
    const at = line.indexOf(` ${markVariable}=${prefix}`)
    const pid = Number.parseInt(line, 10)
    if (at < 0 || !(pid > 1)) continue
    const [mark = ''] = line.slice(at + markVariable.length + 2).split(' ', 1)
    found.push({ pid, mark })
  }
  return found
}
