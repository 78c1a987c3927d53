/** Finds and ends processes by the mark in their environment, because agents put their children in sessions of their own. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { markVariable } from './mark.ts'
import { factsOf } from './process-identity.ts'

export interface MarkedProcess {
  pid: number
  mark: string
}

export interface EndOptions {
  /** Processes that are left alone, with whatever mark they carry. */
  except?: Iterable<number>
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number
  /** Which of the marks with the prefix are meant: `run:T1:1` is also a prefix of `run:T1:10`. */
  only?: (mark: string) => boolean
}

const defaultGraceMs = 300
/** A process that outlasts this is stuck in the kernel, or faster at forking than we are at ending. */
const giveUpMs = 10_000

/** Processes of this user, other than this one, whose mark starts with the prefix. */
export const findMarked = (prefix: string): MarkedProcess[] => process.platform === 'linux' ? scanProc(prefix) : askPs(prefix)

/** Resolves, with how many processes it ended, when a scan finds none left. */
export async function endMarked(prefix: string, options: EndOptions = {}): Promise<number> {
  const spared = new Set(options.except)
  const find = (): number[] => findMarked(prefix)
    .filter(({ pid, mark }) => !spared.has(pid) && (options.only?.(mark) ?? true)).map(({ pid }) => pid)
  const asked = new Set<number>()
  const begun = performance.now()
  for (let pids = find(); pids.length > 0; pids = find()) {
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
  const wanted = Buffer.from(`${markVariable}=${prefix}`)
  const uid = process.getuid?.()
  const found: MarkedProcess[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!(pid > 1) || pid === process.pid) continue
    // A failed open costs an exception; asking for the owner first does not. Root may read everyone's.
    if (uid !== 0 && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid !== uid) continue
    const environment = readEnvironment(pid)
    const mark = environment === null ? null : markIn(environment, wanted)
    if (mark !== null) found.push({ pid, mark })
  }
  return found
}

function markIn(environment: Buffer, wanted: Buffer): string | null {
  for (let at = environment.indexOf(wanted); at >= 0; at = environment.indexOf(wanted, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    return environment.toString('utf8', at + markVariable.length + 1, end < 0 ? environment.length : end)
  }
  return null
}

/** In the middle of an exec the kernel shows an empty environment: a process that has none is looked at again. */
function readEnvironment(pid: number): Buffer | null {
  for (let tries = 0; tries < 5; tries++) {
    const environment = readProcFile(`/proc/${pid}/environ`)
    if (environment === null || environment.length > 0) return environment
    const facts = factsOf(pid)
    if (facts === null || facts.zombie || facts.kernel) return null
  }
  return null
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
  const { stdout } = spawnSync('/bin/ps', ['-E', '-x', '-ww', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
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
