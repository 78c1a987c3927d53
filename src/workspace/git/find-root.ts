/**
 * Finds the root of the checkout around a folder without git. That suffices for commands that only read Looper's own
 * files.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { LooperError } from '../../model/error.ts'

export function findRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder))
      throw new LooperError('ENVIRONMENT_NOT_A_REPOSITORY', `${cwd} is not in a git repository.`)
  }
}

/** For commands that need no repository: returns `cwd` itself when there is none. */
export function rootAround(cwd: string): string {
  try {
    return findRoot(cwd)
  } catch {
    return cwd
  }
}
