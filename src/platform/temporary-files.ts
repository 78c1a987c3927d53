/** Temporary files of atomic writes, and their removal when a process was killed before it renamed its file. */
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Beside the target, because a rename works only within one file system. */
export const temporaryFor = (path: string): string =>
  join(dirname(path), `.tmp-${process.pid}-${Math.random().toString(36).slice(2, 14)}`)

const swept = new Set<string>()

/** Looks at each folder once. Never throws: a leftover does no harm. */
export async function sweepOnce(folder: string): Promise<void> {
  if (swept.has(folder)) return
  swept.add(folder)
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeLeftover(folder, name).catch(() => {})))
}

async function removeLeftover(folder: string, name: string): Promise<void> {
  const pid = /^\.tmp-(\d+)-[a-z0-9]+$/.exec(name)?.[1]
  if (pid === undefined || isRunning(Number(pid))) return
  const path = join(folder, name)
  // The number of a process in a sandbox says nothing here: it may be writing right now.
  if ((await stat(path)).mtimeMs < performance.timeOrigin) await rm(path)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
