/**
 * Records the files that set-up created in a work tree. When the work tree is reused, they may stay if they are
 * unchanged; all other untracked files are removed.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { ifExists, readNow } from '../../platform/files.ts'
import { removeNow } from '../../platform/mounts.ts'
import { git } from '../git/git.ts'
import { replaceFile, type WorkTree } from '../clones/work-tree.ts'
import { identitiesIn, identityFrom, type FileFacts, type FileList } from './file-list.ts'

export interface Manifest {
  /** Untracked files, and folders (`folder/`) in which git tracks nothing. */
  roots: string[]
  /** Every file, link and folder below the roots, with a fingerprint that changes when it changes. */
  entries: Record<string, string>
}

/** How many files are read before the event loop can run other work. */
const atOnce = 2_000

/**
 * Records everything in the work tree that git does not track. `known` files were listed before they came here: their
 * list is stored after the first line of the manifest as it is.
 */
export async function recordManifest(workTree: WorkTree, file: string, known: FileList, mark: string): Promise<void> {
  const listed = await git(['ls-files', '--others', '--directory', '-z'], { workTree, mark })
  const roots = listed.split('\0').filter((path) => path !== '')
  const names = new Set(roots.map((root) => root.replace(/\/$/, '')))
  const isUsable = known.roots.length > 0 && known.roots.every((root) => names.has(root))
  const others = isUsable ? roots.filter((root) => !known.roots.includes(root.replace(/\/$/, ''))) : roots
  const entries: Record<string, string> = {}
  for await (const [path, identity] of walk(workTree.path, others)) entries[path] = identity
  const text = Buffer.from(isUsable ? known.text : '', 'latin1')
  replaceFile(file, Buffer.concat([Buffer.from(`${JSON.stringify({ roots, entries } satisfies Manifest)}\n`), text]))
}

export function readManifest(file: string): Manifest | null {
  const found = readParts(file)
  if (found === null) return null
  try {
    return { roots: found.roots, entries: { ...found.entries, ...identitiesIn(found.text) } }
  } catch {
    return null
  }
}

/** The roots of the manifest alone, which need no search in long lists. */
export const readRoots = (file: string): string[] => readParts(file)?.roots ?? []

function readParts(file: string): (Manifest & { text: string }) | null {
  try {
    const content = readNow(file) ?? Buffer.from('{}')
    const end = content.indexOf('\n')
    const [first, rest] = end === -1 ? [content, ''] : [content.subarray(0, end), content.toString('latin1', end + 1)]
    const { roots, entries }: Partial<Manifest> = JSON.parse(first.toString('utf8'))
    const isList = Array.isArray(roots) && roots.every((root) => typeof root === 'string')
    return isList && typeof entries === 'object' && entries !== null ? { roots, entries, text: rest } : null
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
export async function* walk(
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
    yield [next, identityFrom(factsOf(found))]
    if (found.isDirectory() && known(next)) for (const name of readdirSync(full)) waiting.push(`${next}/${name}`)
  }
}

function factsOf(found: Stats): FileFacts {
  const { ino, size, mode, nlink, mtimeMs, ctimeMs } = found
  return { isFolder: found.isDirectory(), ino, size, mode, nlink, mtimeMs, ctimeMs }
}
