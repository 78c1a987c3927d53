/**
 * Spare copies of an entry. A workspace of agents gets one by a rename, which takes as long for ten thousand files as
 * for one. Verification workspaces never do: a process that opened a file of a spare could still write to it.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readNow } from '../../platform/files.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { coarseMs } from '../clones/manifest.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { replaceFile } from '../clones/work-tree.ts'
import { isArchive } from './archive.ts'
import { copyProducts } from './copy-products.ts'
import { isSameList, type FileList } from '../setup/file-list.ts'
import { listFiles } from './list-files.ts'

const sparesOf = (folder: string): string => join(folder, 'spares')
const filesIn = (spare: string): string => join(spare, 'files')
const listIn = (spare: string): string => join(spare, 'list')
const spareIn = (folder: string, name: string): string => join(sparesOf(folder), name)
const isWhole = (name: string): boolean => /^[0-9a-f]{12}$/.test(name)

/** The paths of the spares of the entry. */
export function sparesIn(folder: string): string[] {
  try {
    return readdirSync(sparesOf(folder))
      .filter(isWhole)
      .map((name) => join(sparesOf(folder), name))
  } catch {
    return []
  }
}

/** Where a spare comes from: the entry, or the workspace in which set-up ran. */
export interface SpareSource {
  from: string
  roots: readonly string[]
  mark: string
  /** Whether the source was whole while it was copied. Absent: it was. */
  isSound?(): Promise<boolean>
}

export interface Spare {
  path: string
  list: FileList
}

/** Adds a spare to the entry. It is whole or absent. Null when that failed. A rename changes the times of a file. */
export async function addSpare(folder: string, { from, roots, mark, isSound }: SpareSource): Promise<Spare | null> {
  const name = randomBytes(6).toString('hex')
  const making = join(sparesOf(folder), `${name}.making`)
  try {
    if (!isArchive(from) && !areFolders(from, roots)) return null
    for (const root of roots) makeFolder(join(filesIn(making), dirname(root)), 0o700)
    if (!(await copyProducts(from, filesIn(making), roots, mark))) throw new Error('The spare could not be copied.')
    // A later write must have another time than the list.
    await delay(coarseMs)
    const list = await listFiles(filesIn(making), roots, mark)
    replaceFile(listIn(making), Buffer.from(list.text, 'latin1'))
    if (isSound && !(await isSound())) throw new Error('The entry was changed.')
    renameSync(making, spareIn(folder, name))
    return { path: spareIn(folder, name), list }
  } catch {
    await removeTree(making).catch(() => {})
    return null
  }
}

/** An archive contains nothing but folders at its top. */
export const areFolders = (from: string, roots: readonly string[]): boolean =>
  roots.every((root) => lstatSync(join(from, root)).isDirectory())

/** The spares of an entry whose folder was renamed. */
export const sparesAfterMove = (spares: readonly Spare[], folder: string): Spare[] =>
  spares.map(({ path, list }) => ({ path: spareIn(folder, basename(path)), list }))

/** The list of the spare; null when one of its files was added, changed or removed since it was made. */
export async function provenList(spare: string, roots: readonly string[], mark: string): Promise<FileList | null> {
  try {
    const found = await listFiles(filesIn(spare), roots, mark)
    return isSameList(readNow(listIn(spare))?.toString('latin1') ?? '', found.text) ? found : null
  } catch {
    return null
  }
}

/** Moves the spare away, so that no other process uses it. Null when one already does. */
export function claimSpare(spare: string, aside: string): string | null {
  const claimed = join(aside, `spare-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(aside, { recursive: true })
    renameSync(spare, claimed)
    return claimed
  } catch {
    return null
  }
}

/** Moves the files of a claimed spare into the workspace, where nothing is in their place. */
export function placeSpare(claimed: string, path: string, roots: readonly string[]): void {
  for (const root of roots) renameSync(join(filesIn(claimed), root), join(path, root))
}

/** Removes what killed processes left. The caller is the only one who adds spares to the entry. */
export async function removeUnfinished(folder: string): Promise<void> {
  try {
    for (const name of readdirSync(sparesOf(folder)).filter((each) => !isWhole(each)))
      await removeTree(join(sparesOf(folder), name))
  } catch {
    // There are none, or they cannot be removed now.
  }
}
