/**
 * Moves the files of a work tree and Looper's index to another tree without starting git, where few files differ and
 * nothing about them is unusual. This is only an optimization: false means that git must do it. Files may have been
 * written then, and git overwrites them.
 */
import { lstatSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coarseMs } from '../clones/manifest.ts'
import { replaceFile, type WorkTree } from '../clones/work-tree.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import type { Difference } from '../git/quick-trees.ts'
import { areUnchanged, encodeStat, findOthers, foldersOf } from './compare-files.ts'
import { encodeIndexFile, hasAttributes, readIndexFile, type IndexFile } from './index-file.ts'
import { isPlainPath, parentsOf } from './plain-path.ts'

/** More content than this is left to git. */
const most = { files: 50, bytes: 1024 * 1024 }

const regular = new Set(['100644', '100755'])

/** Whether the files are exactly those of the index, so that nothing has to be removed. `kept` are paths that stay. */
export function isPristine(workTree: WorkTree, index: IndexFile, kept: readonly string[]): boolean {
  const stays = new Set(kept.map((path) => Buffer.from(path).toString('latin1').replace(/\/$/, '')))
  const others = findOthers(workTree.path, index, (path) => stays.has(path.replace(/\/$/, '')))
  return others?.size === 0 && areUnchanged(workTree.path, index)
}

/** The index of a work tree that is still empty. */
const emptyIndex = (): IndexFile => ({ entries: new Map(), trees: new Map(), writtenNs: 0n })

/** Moves a work tree that contains only the files of its index and `kept`, or nothing at all. */
export function resetQuickly(workTree: WorkTree, tree: string, kept: readonly string[], quick: QuickObjects): boolean {
  const [index, atMs] = [readIndexFile(workTree.index, tree), Date.now()]
  return tried(() => index !== null && isPristine(workTree, index, kept) && move(workTree, index, tree, quick, atMs))
}

/** Fills an empty folder. */
export const fillQuickly = (workTree: WorkTree, tree: string, quick: QuickObjects): boolean =>
  tried(() => move(workTree, emptyIndex(), tree, quick, Date.now()))

/** Moves a work tree whose files are known to be those of its index, except for files that the index does not name. */
export function moveQuickly(workTree: WorkTree, tree: string, quick: QuickObjects): boolean {
  const [index, atMs] = [readIndexFile(workTree.index, tree), Date.now()]
  return tried(() => index !== null && areUnchanged(workTree.path, index) && move(workTree, index, tree, quick, atMs))
}

/** Git reports what went wrong when it does the same. */
function tried(job: () => boolean): boolean {
  try {
    return job()
  } catch {
    return false
  }
}

/**
 * `atMs` is a time before the files were compared. The index gets it: files that are written later than that are
 * compared by content, so a process that writes to them in between is found. The clock of a file system may be late,
 * and git makes no allowance for that.
 */
function move(workTree: WorkTree, index: IndexFile, tree: string, quick: QuickObjects, atMs: number): boolean {
  const from = index.trees.get('') ?? null
  if (from === tree) return true
  if (!quick.writesAsStored || (from === null && index.entries.size > 0)) return false
  const differences = quick.compare(from, tree)
  if (differences === null || !areUsual(index, differences)) return false
  const contents = readAll(differences, quick)
  if (contents === null || !isRoom(workTree.path, index, differences)) return false
  if (areAttributesBeside(workTree.path, differences)) return false
  const removed = differences.filter(({ from: old }) => old !== null)
  for (const { path } of removed) unlinkSync(join(workTree.path, path))
  for (const { path } of removed) index.entries.delete(path)
  for (const { path, to } of differences) if (to) write(workTree.path, path, to.mode, contents.get(to.object))
  for (const { path, to } of differences) if (to) index.entries.set(path, staged(workTree.path, path, to))
  removeEmpty(workTree.path, index, removed)
  for (const { path } of differences) for (const folder of parentsOf(path)) index.trees.delete(folder)
  index.trees.set('', tree)
  replaceFile(workTree.index, encodeIndexFile(index, tree), atMs - coarseMs)
  return true
}

function areUsual(index: IndexFile, differences: readonly Difference[]): boolean {
  const isUsual = ({ path, to }: Difference): boolean => isPlainPath(path) && (to === null || regular.has(to.mode))
  return differences.length <= most.files && differences.every(isUsual) && !hasAttributes(index)
}

/** The content of each object; null when one is not to be had without git. */
function readAll(differences: readonly Difference[], quick: QuickObjects): Map<string, Buffer> | null {
  const contents = new Map<string, Buffer>()
  let room = most.bytes
  for (const { to } of differences) {
    if (to === null || contents.has(to.object)) continue
    const content = quick.blob(to.object, room)
    if (content === null) return null
    room -= content.length
    contents.set(to.object, content)
  }
  return contents
}

/** Whether every new file has a free place in a folder of the tree or in a new one. */
function isRoom(root: string, index: IndexFile, differences: readonly Difference[]): boolean {
  const folders = foldersOf(index)
  return differences
    .filter(({ from }) => from === null)
    .every(({ path }) => {
      const missing = parentsOf(path).filter((folder) => !folders.has(folder))
      return !isThere(join(root, path)) && missing.every((folder) => !isThere(join(root, folder)))
    })
}

/** Git also reads attributes from files that are not in the tree, such as copied ones. */
function areAttributesBeside(root: string, differences: readonly Difference[]): boolean {
  const folders = new Set(differences.flatMap(({ path }) => parentsOf(path)))
  return [...folders].some((folder) => isThere(join(root, folder, '.gitattributes')))
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The file is always a new one, as git does it. */
function write(root: string, path: string, mode: string, content: Buffer | undefined): void {
  const [folder = ''] = parentsOf(path)
  if (folder !== '') mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, path), content ?? '', { flag: 'wx', mode: mode === '100755' ? 0o777 : 0o666 })
}

function staged(root: string, path: string, { mode, object }: { mode: string; object: string }) {
  const bits = Number.parseInt(mode, 8)
  return { mode: bits, object, stat: encodeStat(lstatSync(join(root, path), { bigint: true }), bits) }
}

/** Removes folders that have no file left. One that contains other folders comes after them. */
function removeEmpty(root: string, index: IndexFile, removed: readonly Difference[]): void {
  const folders = foldersOf(index)
  const empty = new Set(removed.flatMap(({ path }) => parentsOf(path)).filter((folder) => !folders.has(folder)))
  for (const folder of [...empty].toSorted((a, b) => b.length - a.length)) rmdirSync(join(root, folder))
}
