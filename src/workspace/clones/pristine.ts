/** Restores a workspace to its manifest: removes added files, and changed files that git can check out again. */
import { chmodSync, lstatSync, rmdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { errnoOf } from '../../platform/files.ts'
import { unmountBelow } from '../../platform/mounts.ts'
import { entryOf, hashOf, isSame, parentOf, pathOf, scan, type Entry, type Manifest, type Since } from './manifest.ts'
import { grantAccess } from './remove-tree.ts'

export interface Restored {
  /**
   * `intact`: the workspace matches the manifest. `incomplete`: files of the tree are missing. `spoiled`: files of the
   * set-up were changed, and only a new set-up can restore them.
   */
  state: 'intact' | 'incomplete' | 'spoiled'
  /** The scan result, so that the next scan reads only later changes. */
  since: Since
}

/**
 * Throws the errors of node:fs when a file cannot be read or removed, or a mount stays. The workspace is unusable then.
 */
export async function restore(root: string, manifest: Manifest): Promise<Restored> {
  unmountBelow(root)
  const atMs = Date.now()
  const found = await scan(root, {
    enter: (path, entry) => {
      const was = manifest.get(path)
      if (was?.folder !== true) return false
      if (was.base === entry.base) return true
      chmodSync(pathOf(root, path), Number(was.base) & 0o7777)
      entry.base = was.base
      return true
    },
  })
  const since = { manifest: found, atMs }
  if (!found.get('')?.folder) throw new Error(`${root} is not a folder any more`)
  const { added, changed, missing } = await compare(root, manifest, found)
  if ([...changed, ...missing].some((path) => manifest.get(path)?.brought)) return { state: 'spoiled', since }
  for (const path of [...added, ...changed]) await removeFrom(root, path)
  return { state: changed.length + missing.length > 0 ? 'incomplete' : 'intact', since }
}

export interface Differences {
  added: string[]
  changed: string[]
  missing: string[]
}

export async function compare(root: string, manifest: Manifest, found: Manifest): Promise<Differences> {
  const differences: Differences = { added: [], changed: [], missing: [] }
  let read = 0
  for (const [path, now] of found) {
    const was = manifest.get(path)
    if (!was) differences.added.push(path)
    else if (!isSame(root, path, was, now)) differences.changed.push(path)
    if (was?.hash !== undefined && ++read % 100 === 0) await setImmediate()
  }
  for (const path of manifest.keys()) if (!found.has(path)) differences.missing.push(path)
  return differences
}

/**
 * Files of the tree that were changed, replaced or removed. New files do not count, because checks write reports and
 * caches. A file that was changed and changed back is reported too.
 */
export async function alteredFiles(root: string, manifest: Manifest): Promise<string[]> {
  const altered: string[] = []
  let read = 0
  for (const [path, was] of manifest) {
    if (was.folder || was.brought) continue
    const now = readEntry(root, path)
    if (now === null || !isSame(root, path, was, now)) altered.push(path)
    if (++read % 1_000 === 0) await setImmediate()
  }
  return altered
}

/** Null when the entry is gone or cannot be reached. */
function readEntry(root: string, path: string): Entry | null {
  try {
    const found = lstatSync(pathOf(root, path), { throwIfNoEntry: false })
    return found ? entryOf(found) : null
  } catch {
    return null
  }
}

/** Looks for mounts below the root, because the path may have names that are not UTF-8. */
export async function removeFrom(root: string, path: string): Promise<void> {
  unmountBelow(root)
  const remove = (): Promise<void> => rm(pathOf(root, path), { recursive: true, force: true })
  await remove().catch(async (error: unknown) => {
    if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw error
    await grantAccess(String(pathOf(root, path)))
    await remove()
  })
}

/**
 * Copies the `brought` entries from the earlier manifest. False when one is gone or was replaced, for example because
 * the tree now has a file of that name.
 */
export function carryBrought(root: string, earlier: Manifest, later: Manifest): boolean {
  for (const [path, was] of earlier) {
    if (!was.brought) continue
    const now = later.get(path)
    if (!now || !isSame(root, path, was, now)) return false
    later.set(path, { ...now, brought: true, hash: was.hash })
  }
  return true
}

/**
 * Marks every entry that is not in the manifest of the tree as `brought`. Hashes files with several hard links, which
 * takes time.
 */
export async function markBrought(root: string, tree: Manifest, all: Manifest): Promise<void> {
  let read = 0
  for (const [path, entry] of all) {
    if (tree.has(path)) continue
    entry.brought = true
    if (!entry.linked) continue
    entry.hash = hashOf(root, path, entry)
    if (++read % 100 === 0) await setImmediate()
  }
}

/** Empty folders of the tree. Git creates them only for submodules, which are in `kept`. */
export function emptyFolders(manifest: Manifest, kept: ReadonlySet<string>): string[] {
  const used = new Set<string>([''])
  const empty: string[] = []
  for (const [path, entry] of [...manifest].toReversed()) {
    if (entry.folder && !entry.brought && !used.has(path) && !kept.has(path)) empty.push(path)
    else used.add(parentOf(path))
  }
  return empty
}

export function removeFolders(root: string, manifest: Manifest, paths: readonly string[]): void {
  for (const path of paths) {
    rmdirSync(pathOf(root, path))
    manifest.delete(path)
  }
}
