/**
 * Creates a folder and its parents. `mkdirSync` with `recursive` never returns where the kernel answers ENOENT for a
 * name in an existing folder, as in /proc.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from './files.ts'

/**
 * Throws the errors of node:fs. An existing folder is left unchanged, including one that another process creates at the
 * same time.
 */
export function makeFolder(path: string, mode = 0o777): void {
  tryFolder(path, mode, 2)
}

/** ENOENT is final only when the parent existed before the last try. */
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
