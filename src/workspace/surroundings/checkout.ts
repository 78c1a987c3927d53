/**
 * Takes stamps of the files of a checkout: every entry of each folder in which git tracks something, ignored or not.
 */
import { dirname, join } from 'node:path'
import { entriesOf, folderStamp, stampOf, type Stamps } from './stamps.ts'

/** The folders of these paths and all their parents, including the root (`.`). */
export function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set(['.'])
  for (const path of paths) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder)
  }
  return folders
}

/**
 * For a folder without tracked files, only added and removed entries are detected, because it may contain a million
 * files.
 */
export function stampCheckout(
  stamps: Stamps,
  root: string,
  tracked: ReadonlySet<string>,
  isOwn: (path: string) => boolean,
): void {
  for (const folder of tracked) {
    for (const entry of entriesOf(join(root, folder))) {
      const name = folder === '.' ? entry.name : `${folder}/${entry.name}`
      const path = `${root}/${name}`
      if (isOwn(path)) continue
      const stamp = !entry.isDirectory() ? stampOf(path) : tracked.has(name) ? 'folder' : folderStamp(path)
      if (stamp !== null) stamps.set(path, stamp)
    }
  }
}
