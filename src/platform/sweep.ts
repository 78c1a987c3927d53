/**
 * Finds and ends processes by the mark in their environment, because agents put their children in sessions of their
 * own.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { markVariable } from './mark.ts'
import { fieldsOf, parseProcStat } from './process-identity.ts'

export interface MarkedProcess {
  pid: number
  mark: string
}

export interface EndOptions {
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number
  /** Which of the processes whose marks have the prefix are meant: `run:T1:1` is also a prefix of `run:T1:10`. */
  only?: (mark: string, pid: number) => boolean
  /**
   * No process that was given the mark has a lower number, and how long ago that was: lets a short life be looked
   * through quickly.
   */
  first?: { pid: number; ageMs: number }
}

const defaultGraceMs = 300
/** A process that outlasts this is stuck in the kernel, or faster at forking than we are at ending. */
const giveUpMs = 10_000
/** Where it cannot be told whether a scan has missed one, that many have to do. */
const maxEmptyScans = 10

/** Processes of this user, other than this one, whose mark starts with the prefix. */
export const findMarked = (prefix: string): MarkedProcess[] =>
  process.platform === 'linux' ? scanProc(prefix) : askPs(prefix)

/** Whether the process has a mark of any run in its environment. Only on Linux. */
export const isMarked = (pid: number): boolean => markOf(pid, '') !== null

/** Resolves, with how many processes it ended, when none is left. */
export async function endMarked(prefix: string, options: EndOptions = {}): Promise<number> {
  const isMeant = ({ mark, pid }: MarkedProcess): boolean => options.only?.(mark, pid) ?? true
  const noneSince = (from: number): boolean => startedSince(from, prefix)?.every((found) => !isMeant(found)) ?? false
  if (options.first && options.first.ageMs < pidRoundMs && noneSince(options.first.pid)) return 0
  const asked = new Set<number>()
  const begun = performance.now()
  for (let emptyScans = 0; emptyScans < maxEmptyScans;) {
    const newest = newestPid()
    const pids = findMarked(prefix)
      .filter(isMeant)
      .map(({ pid }) => pid)
    if (pids.length === 0) {
      // One that forked and ended while it was looked for has got past the scan: its children came after all others.
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
    // Gone since the scan.
  }
}

function scanProc(prefix: string): MarkedProcess[] {
  const found: MarkedProcess[] = []
  for (const pid of readdirSync('/proc').map(Number)) {
    if (!(pid > 1) || pid === process.pid) continue
    const mark = markOf(pid, prefix)
    if (mark !== null) found.push({ pid, mark })
  }
  return found
}

/** All pids are used up, and old ones given out again, in no less than this. */
export const pidRoundMs = 1_000
const fewPids = 256

/**
 * The marked among the processes that were started a moment ago, from a pid on; null when that cannot be told. Linux
 * counts pids up, and whatever a process starts comes after it: so those given out since are looked at, until no new
 * one has appeared meanwhile.
 */
function startedSince(from: number, prefix: string): MarkedProcess[] | null {
  const found: MarkedProcess[] = []
  for (let next = from; ;) {
    const newest = newestPid()
    if (!(newest >= from - 1 && newest - from < fewPids)) return null
    if (newest < next) return found
    for (; next <= newest; next++) {
      const mark = markOf(next, prefix)
      if (mark !== null) found.push({ pid: next, mark })
    }
  }
}

/** NaN where the system does not tell. */
export const newestPid = (): number =>
  Number(readProcFile('/proc/loadavg')?.toString('latin1').trimEnd().split(' ').at(-1))

function markOf(pid: number, prefix: string): string | null {
  // A failed open costs an exception; asking for the owner first does not. Root may read everyone's.
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
 * In the middle of an exec the kernel shows an empty environment, for longer where many processes want the processor.
 */
function readEnvironment(pid: number): Buffer | null {
  const begun = performance.now()
  for (let isSettled = false; ;) {
    const environment = readProcFile(`/proc/${pid}/environ`)
    if (environment === null || environment.length > 0) return environment
    if (isInExec(pid)) Atomics.wait(pause, 0, 0, 1)
    // The exec may have ended since the environment was read.
    else if (isSettled) return null
    else isSettled = true
    if (performance.now() - begun > execMs) return null
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))
/** Where the environment ends in memory, counted from the state of the process. */
const environmentEnd = 48

/** Not yet, rather than nowhere: an environment that is empty on purpose has a place in memory. */
function isInExec(pid: number): boolean {
  const text = readProcFile(`/proc/${pid}/stat`)?.toString('latin1') ?? ''
  const facts = parseProcStat(text)
  return facts !== null && !facts.zombie && !facts.kernel && fieldsOf(text)[environmentEnd] === '0'
}

let buffer = Buffer.allocUnsafeSlow(128 * 1024)

/** Valid until the next call: one buffer serves a whole scan. */
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
