/**
 * Ends processes that an agent or a check left running and that dropped their mark. It finds them by working directory,
 * so use it only for folders that only Looper's work uses. Linux only: other systems do not show the working directory.
 */
import { readlinkSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processIds } from './pids.ts'
import { kill, textOf } from './proc.ts'
import { isMarked } from './sweep.ts'

interface Found {
  pid: number
  parent: number
}

const mostScans = 20

/** Resolves when no orphan is left or the remaining ones cannot be ended. */
export async function endOrphansIn(folder: string): Promise<void> {
  for (let scans = 0; scans < mostScans; scans++) {
    const orphans = findOrphansIn(folder)
    if (orphans.length === 0) return
    for (const pid of orphans) kill(pid)
    await sleep(5)
  }
}

/**
 * Pids of this user's processes in the folder that have no terminal, no mark and no living parent but the reaper, and
 * of their descendants there. A user's shell has a terminal and an editor's child has a parent, so they are not found.
 */
export function findOrphansIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  const inside = foldersNow().flatMap(({ pid, cwd }) => readInside(pid, cwd, folder) ?? [])
  const orphans = new Set<number>()
  for (let size = -1; size !== orphans.size;) {
    size = orphans.size
    for (const { pid, parent } of inside) if (orphans.has(parent) || isReaper(parent)) orphans.add(pid)
  }
  return [...orphans].filter((pid) => !isMarked(pid))
}

interface ProcessFolder {
  pid: number
  cwd: string
}

let processFolders: ProcessFolder[] | null = null

/** The working directories of all other processes. Questions of one moment are answered by one scan. */
function foldersNow(): ProcessFolder[] {
  if (processFolders === null) setImmediate(() => (processFolders = null))
  processFolders ??= processIds().flatMap((pid) => folderOf(pid) ?? [])
  return processFolders
}

function folderOf(pid: number): ProcessFolder | null {
  try {
    return pid === process.pid ? null : { pid, cwd: readlinkSync(`/proc/${pid}/cwd`) }
  } catch {
    return null
  }
}

function readInside(pid: number, cwd: string, folder: string): Found | null {
  try {
    // Most processes are elsewhere, so the cheapest check comes first.
    if (!cwd.startsWith(folder)) return null
    const path = cwd.replace(/ \(deleted\)$/, '')
    if (path !== folder && !path.startsWith(`${folder}/`)) return null
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return null
    const text = textOf(`/proc/${pid}/stat`)
    const [state = '', parent = '', , , terminal] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return 'ZXx'.includes(state) || terminal !== '0' ? null : { pid, parent: Number(parent) }
  } catch {
    return null
  }
}

/** The process that adopts orphans: pid 1 or the user's service manager. */
const isReaper = (pid: number): boolean => pid <= 1 || textOf(`/proc/${pid}/comm`) === 'systemd\n'
