/**
 * Makes a folder with the folders above it. `mkdirSync` with `recursive` never returns where the kernel answers ENOENT
 * for a name in a folder that exists, as in /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from './files.ts'

/** Throws what node:fs throws. A folder that exists stays as it is, also one that another process makes meanwhile. */
export function makeFolder(path: string, mode = 0o777): void {
  tryFolder(path, mode, 2)
}

/** ENOENT is an answer only when the folder above was there before the last try. */
function tryFolder(path: string, mode: number, tries: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && tries > 1 && dirname(path) !== path) {
      makeFolder(dirname(path), mode)
      tryFolder(path, mode, tries - 1)
    } else if (errnoOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) {
      throw error
    }
  }
}
