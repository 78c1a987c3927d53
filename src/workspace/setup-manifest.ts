/**
 * Records the files that set-up created in a work tree. When the work tree is reused, they may stay if they are
 * unchanged; all other untracked files are removed.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { ifExists, readNow } from '../platform/files.ts'
import { removeNow } from '../platform/mounts.ts'
import { git } from './git.ts'
import { replaceFile, type Place } from './place.ts'

export interface Manifest {
  /** Untracked files, and folders (`folder/`) in which git tracks nothing. */
  roots: string[]
  /** Every file, link and folder below the roots, with a fingerprint that changes when it changes. */
  entries: Record<string, string>
}

/** How many files are read before the event loop can run other work. */
const atOnce = 2_000

/** Records everything in the work tree that git does not track. */
export async function recordManifest(place: Place, file: string, mark: string): Promise<void> {
  const listed = await git(['ls-files', '--others', '--directory', '-z'], { place, mark })
  const roots = listed.split('\0').filter((path) => path !== '')
  const entries: Record<string, string> = {}
  for await (const [path, identity] of walk(place.path, roots)) entries[path] = identity
  replaceFile(file, JSON.stringify({ roots, entries } satisfies Manifest))
}

export function readManifest(file: string): Manifest | null {
  try {
    const { roots, entries }: Partial<Manifest> = JSON.parse(readNow(file)?.toString('utf8') ?? '{}')
    const isList = Array.isArray(roots) && roots.every((root) => typeof root === 'string')
    return isList && typeof entries === 'object' && entries !== null ? { roots, entries } : null
  } catch {
    return null
  }
}

/** Removes files added since; false when a file is missing or changed. */
export async function isIntact(path: string, { roots, entries }: Manifest): Promise<boolean> {
  const added: string[] = []
  let found = 0
  for await (const [name, identity] of walk(path, roots, (inside) => Object.hasOwn(entries, inside))) {
    if (!Object.hasOwn(entries, name)) added.push(name)
    else if (entries[name] !== identity) return false
    else found++
  }
  if (found !== Object.keys(entries).length) return false
  try {
    for (const name of added) removeNow(join(path, name))
    return true
  } catch {
    return false
  }
}

/** Folders that are not `known` are listed but not entered. */
async function* walk(
  path: string,
  roots: readonly string[],
  known: (folder: string) => boolean = () => true,
): AsyncGenerator<[name: string, identity: string]> {
  const waiting = roots.map((root) => root.replace(/\/$/, ''))
  for (let next = waiting.pop(), n = 1; next !== undefined; next = waiting.pop(), n++) {
    if (n % atOnce === 0) await pause()
    const full = join(path, next)
    const found = ifExists(() => lstatSync(full), full)
    if (!found) continue
    yield [next, identityOf(found)]
    if (found.isDirectory() && known(next)) for (const name of readdirSync(full)) waiting.push(`${next}/${name}`)
  }
}

/**
 * A new hard link, as package managers create them, changes the ctime of a file. So a file with several links uses its
 * mtime.
 */
function identityOf(found: Stats): string {
  if (found.isDirectory()) return 'folder'
  const time = found.nlink > 1 ? found.mtimeMs : found.ctimeMs
  return `${found.ino}:${found.size}:${found.mode}:${found.nlink > 1 ? 'm' : 'c'}${time}`
}
