/**
 * Ends processes that an agent or a check left behind and that dropped their mark with their environment. They are
 * found by their working directory, so this is only for folders that nothing but Looper's work uses. Only on Linux:
 * other systems do not show it.
 */
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill, textOf } from './proc.ts'
import { isMarked } from './sweep.ts'

interface Found {
  pid: number
  parent: number
}

const mostScans = 20

/** Resolves when none is left, or some cannot be ended. */
export async function endOrphansIn(folder: string): Promise<void> {
  for (let scans = 0; scans < mostScans; scans++) {
    const orphans = findOrphansIn(folder)
    if (orphans.length === 0) return
    for (const pid of orphans) kill(pid)
    await sleep(5)
  }
}

/**
 * Pids of processes of this user in the folder that have no terminal, no mark, and no living parent but the system,
 * with their descendants there. A shell of the user in that folder has a terminal, an editor's child has a parent.
 */
export function findOrphansIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  const inside = readdirSync('/proc')
    .map(Number)
    .flatMap((pid) => readInside(pid, folder) ?? [])
  const orphans = new Set<number>()
  for (let size = -1; size !== orphans.size;) {
    size = orphans.size
    for (const { pid, parent } of inside) if (orphans.has(parent) || isReaper(parent)) orphans.add(pid)
  }
  return [...orphans].filter((pid) => !isMarked(pid))
}

function readInside(pid: number, folder: string): Found | null {
  if (!(pid > 1) || pid === process.pid) return null
  try {
    // Most processes are elsewhere: the cheapest question comes first.
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    if (!cwd.startsWith(folder)) return null
    const place = cwd.replace(/ \(deleted\)$/, '')
    if (place !== folder && !place.startsWith(`${folder}/`)) return null
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return null
    const text = textOf(`/proc/${pid}/stat`)
    const [state = '', parent = '', , , terminal] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return 'ZXx'.includes(state) || terminal !== '0' ? null : { pid, parent: Number(parent) }
  } catch {
    return null
  }
}

/** The process that the kernel gives orphans to: the first of all, or the user's service manager. */
const isReaper = (pid: number): boolean => pid <= 1 || textOf(`/proc/${pid}/comm`) === 'systemd\n'
