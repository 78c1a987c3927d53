/** Identifies processes uniquely: a pid is reused, but a pid with its start time and boot id is not. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

export interface ProcessIdentity {
  pid: number
  startTime: string
  bootId: string
}

export interface ProcessFacts {
  startTime: string
  /** Process group; equal to the pid for the leader of a detached group. */
  group: number
  /** The process has ended but its parent has not waited for it. */
  zombie: boolean
  /** Stopped by a signal or a debugger. */
  suspended: boolean
  /** A kernel thread: it has no environment and cannot be killed. */
  kernel: boolean
}

const onLinux = process.platform === 'linux'
const kernelThreadFlag = 0x0020_0000

let boot: string | undefined

/** Changes with every boot. */
export function bootId(): string {
  boot ??= onLinux
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    : execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
  return boot
}

/** The start time in the format of the system, also for zombies; null when no such process exists. */
export const startTimeOf = (pid: number): string | null => factsOf(pid)?.startTime ?? null

/** Null when the process is gone or a zombie. */
export function identityOf(pid: number): ProcessIdentity | null {
  const facts = factsOf(pid)
  return facts === null || facts.zombie ? null : { pid, startTime: facts.startTime, bootId: bootId() }
}

/** Whether exactly this process still runs: not its zombie and not a later process with the same pid. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false
  const facts = factsOf(identity.pid)
  return facts !== null && !facts.zombie && facts.startTime === identity.startTime
}

export function factsOf(pid: number): ProcessFacts | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  return onLinux ? readProc(pid) : askPs(pid)
}

function readProc(pid: number): ProcessFacts | null {
  // Most callers ask about processes that are gone, and an exception costs far more than this check.
  if (!existsSync(`/proc/${pid}`)) return null
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return null
  }
}

/**
 * The name (field 2) may contain spaces and parentheses, so the fields are counted from the last closing parenthesis.
 */
export const fieldsOf = (text: string): string[] =>
  text
    .slice(text.lastIndexOf(')') + 2)
    .trimEnd()
    .split(' ')

export function parseProcStat(text: string): ProcessFacts | null {
  const fields = fieldsOf(text)
  const [state, , group, , , , flags] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return null
  return {
    startTime,
    group: Number(group),
    zombie: state === 'Z' || state === 'X' || state === 'x',
    suspended: state === 'T' || state === 't',
    kernel: (Number(flags) & kernelThreadFlag) !== 0,
  }
}

function askPs(pid: number): ProcessFacts | null {
  try {
    return parsePs(
      execFileSync('/bin/ps', ['-o', 'stat=,pgid=,lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  } catch {
    return null
  }
}

export function parsePs(text: string): ProcessFacts | null {
  const found = /^\s*(\S+)\s+(\d+)\s+(\S.*?)\s*$/.exec(text)
  if (found === null) return null
  const [, state = '', group = '', startTime = ''] = found
  const [zombie, suspended] = [state.startsWith('Z'), state.startsWith('T')]
  return { startTime, group: Number(group), zombie, suspended, kernel: false }
}
