/**
 * Makes a folder with the folders above it. `mkdirSync` with `recursive` never returns where the kernel answers ENOENT
 * for a name in a folder that exists, as in /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from './files.ts'

/** Throws what node:fs throws. A folder that exists stays as it is. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && dirname(path) !== path && !exists(dirname(path))) {
      makeFolder(dirname(path), mode)
      mkdirSync(path, { mode })
    } else if (errnoOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) {
      throw error
    }
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
