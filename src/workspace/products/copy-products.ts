/**
 * Copies products between a workspace and the store: by reflink where the file system can, else byte by byte. They are
 * never hard-linked, because a check or an agent could then write through a link into the store.
 */
import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { runProcess } from '../../platform/run-process.ts'
import { isArchive, unpackProducts } from './archive.ts'

/** Fewer than the operating system accepts on one command line. */
const atOnce = 200

/**
 * `from` is a folder, or an archive of the same files. `roots` are paths in it, whose folders exist below `to`. Modes,
 * times and links are kept. False when something could not be copied: the copy is incomplete then.
 */
export async function copyProducts(from: string, to: string, roots: readonly string[], mark: string): Promise<boolean> {
  if (isArchive(from)) return unpackProducts(from, to, mark)
  for (const [folder, names] of byFolder(roots)) {
    for (let at = 0; at < names.length; at += atOnce) {
      const sources = names.slice(at, at + atOnce).map((name) => join(from, folder, name))
      if (!(await copyInto(join(to, folder), sources, mark))) return copyWithNode(from, to, roots)
    }
  }
  return true
}

/** One process copies thousands of files in the time in which Node copies hundreds, and beside this thread. */
async function copyInto(folder: string, sources: readonly string[], mark: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const argv: [string, ...string[]] = ['cp', '-a', '--reflink=auto', '--', ...sources, `${folder}/`]
  const result = await runProcess({ argv, cwd: '/', mark, keepBytes: 4_096 })
  return result.exitCode === 0
}

/** For systems whose `cp` has no such options. */
async function copyWithNode(from: string, to: string, roots: readonly string[]): Promise<boolean> {
  const copies = roots.map((root) =>
    cp(join(from, root), join(to, root), {
      recursive: true,
      force: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    }),
  )
  return (await Promise.allSettled(copies)).every(({ status }) => status === 'fulfilled')
}

function byFolder(roots: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const root of roots) {
    const at = root.lastIndexOf('/')
    const folder = root.slice(0, Math.max(0, at))
    groups.set(folder, [...(groups.get(folder) ?? []), root.slice(at + 1)])
  }
  return groups
}
