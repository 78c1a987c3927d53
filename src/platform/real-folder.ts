/** Folders that lie where an agent can write: a link there leads anywhere, so it is neither followed nor kept. */
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const owner = 0o700

/** Makes every folder on the way from `base`, which is trusted; whatever else has one of their names is removed. */
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

/** The first thing on the way from `base` that is there and no folder; null when the way is clear. */
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
