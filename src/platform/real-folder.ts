/**
 * Creates and checks folders where an agent can write. A link there may lead anywhere, so links are neither followed
 * nor kept.
 */
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const owner = 0o700

/**
 * Creates every folder of `path` below `base`, which is trusted. Anything else that has one of these names is removed.
 */
export function makeRealFolder(base: string, path: string): void {
  mkdirSync(base, { recursive: true })
  let folder = base
  for (const name of path.split('/')) {
    folder = join(folder, name)
    const found = lstatSync(folder, { throwIfNoEntry: false })
    if (found?.isDirectory() !== true) {
      rmSync(folder, { force: true })
      mkdirSync(folder)
    } else if ((found.mode & owner) !== owner) chmodSync(folder, (found.mode & 0o777) | owner)
  }
}

/** The first existing entry on the path below `base` that is not a folder; null when there is none. */
export function inTheWay(base: string, path: string): string | null {
  let way = ''
  for (const name of path.split('/')) {
    way = join(way, name)
    const found = lstatSync(join(base, way), { throwIfNoEntry: false })
    if (found === undefined) return null
    if (!found.isDirectory()) return way
  }
  return null
}
