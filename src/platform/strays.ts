/**
 * Finds processes of a turn that dropped their mark, as `setsid env -i` does. It requires evidence: the process was
 * seen below the turn's process, it can write to the turn's output, or it is an orphan without a terminal in the turn's
 * own workspace. Linux only. It cannot find a process without such evidence; a sandbox with its own pid namespace ends
 * that one too.
 */
import { readlinkSync, statSync, type Stats } from 'node:fs'
import { pidsFrom, watchPids, type First } from './pids.ts'
import { isOtherOwn, isProcess, killFound, namesIn, textOf } from './proc.ts'
import { isMarked } from './sweep.ts'

/** The descendants of a turn's process, recorded while it runs. */
export interface Kin {
  pid: number
  /** The start time of the turn's process; null when it cannot be read. */
  startTime: string | null
  /** Records the descendants of the turn's process. It costs one read per thread and descendant. */
  sample(): void
  seen(pid: number, startTime: string): boolean
  /** The pid of the turn's process, below those of all its descendants while pids are in order. */
  first(): First
}

const onLinux = process.platform === 'linux'
const mostKin = 4_096

/** `ageMs`: the time since the process started. */
export function createKin(pid: number, ageMs = 0): Kin {
  const known = new Map<number, string>()
  const pids = watchPids(pid, ageMs)
  return {
    pid,
    startTime: onLinux ? (parseStat(pid)?.startTime ?? null) : null,
    sample() {
      if (!onLinux) return
      pids.probe()
      if (known.size > mostKin) return
      const waiting = [pid]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const child of childrenOf(next)) {
          const stat = readStat(child)
          if (stat === null || known.size > mostKin) continue
          known.set(child, stat.startTime)
          waiting.push(child)
        }
      }
    },
    seen: (found, startTime) => known.get(found) === startTime,
    first: pids.first,
  }
}

export interface Trace {
  kin: Kin
  /** The time since it was known that no pid of the turn has been reused. */
  ageMs: number
  /** Files that only the processes of the turn write to. */
  outputs: readonly string[]
  /** A folder in which only the turn works; null where the user may work, too. */
  workspace: string | null
}

/**
 * Finds only processes of this user that are younger than the turn and have no mark. A marked process belongs to the
 * turn of its mark.
 */
export function findStrays({ kin, ageMs, outputs, workspace }: Trace): number[] {
  const { startTime } = kin
  if (startTime === null) return []
  const files = outputs.flatMap((path) => statOf(path) ?? [])
  return pidsFrom({ pid: kin.pid + 1, ageMs }).filter((pid) => {
    if (pid === kin.pid || !isOtherOwn(pid)) return false
    const stat = readStat(pid)
    if (stat === null || Number(stat.startTime) < Number(startTime)) return false
    // Most are marked, and finding that out takes less time than reading their files.
    if (isMarked(pid)) return false
    const isTraced =
      kin.seen(pid, stat.startTime) || writesTo(pid, files) || (workspace !== null && isOrphanIn(pid, stat, workspace))
    return isTraced && isProcess(pid)
  })
}

/**
 * Sends SIGKILL at once, because a process that dropped its mark may ignore SIGTERM. Resolves with the number of
 * processes.
 */
export const endStrays = (trace: Trace): Promise<number> => killFound(() => findStrays(trace))

interface Stat {
  state: string
  parent: number
  terminal: number
  startTime: string
}

/** Null when the process is gone or a zombie. */
function readStat(pid: number): Stat | null {
  const stat = parseStat(pid)
  return stat === null || /[ZX]/.test(stat.state) ? null : stat
}

function parseStat(pid: number): Stat | null {
  const text = textOf(`/proc/${pid}/stat`)
  const [state, parent, , , terminal, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .trimEnd()
    .split(' ')
  const startTime = rest[14]
  if (startTime === undefined) return null
  return { state: state ?? '', parent: Number(parent), terminal: Number(terminal), startTime }
}

function childrenOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  )
}

/** A user who reads the stream has the file open too, but not for writing. */
function writesTo(pid: number, files: readonly Stats[]): boolean {
  return namesIn(`/proc/${pid}/fd`).some((file) => {
    const found = statOf(`/proc/${pid}/fd/${file}`)
    if (found === null || !files.some(({ dev, ino }) => dev === found.dev && ino === found.ino)) return false
    const flags = /^flags:\s*([0-7]+)/m.exec(textOf(`/proc/${pid}/fdinfo/${file}`))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
  })
}

/** Shells and editors of the user have a terminal or a parent. */
function isOrphanIn(pid: number, { parent, terminal }: Stat, workspace: string): boolean {
  if (terminal !== 0 || (parent !== 1 && textOf(`/proc/${parent}/comm`).trim() !== 'systemd')) return false
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '')
    return cwd === workspace || cwd.startsWith(`${workspace}/`)
  } catch {
    return false
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
