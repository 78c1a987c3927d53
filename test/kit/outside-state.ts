/** What a run must leave as it was: the user's files, and the parts of their repository that are not the run's own. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Project } from './project.ts'

/** By path, what is there: a hash of each file, `folder`, or where a link leads. */
export type OutsideState = Record<string, string>

/**
 * Looper's own: its runs and workspaces, and what it adds to the repository. What agents record for the test is no harm
 * either.
 */
const own =
  /^(?:notes|repo\/\.looper|\.cache\/looper|repo\/\.git\/(?:objects|worktrees|looper|refs\/looper|refs\/heads\/looper|logs))(?:\/|$)/

export function outsideState(project: Project): OutsideState {
  const home = dirname(project.root)
  const state: OutsideState = {}
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      const path = join(folder, name)
      const key = relative(home, path)
      if (own.test(key)) continue
      if (key === '.cache') {
        visit(path)
        continue
      }
      const found = lstatSync(path)
      if (found.isSymbolicLink()) state[key] = `→ ${readlinkSync(path)}`
      else if (found.isDirectory()) {
        state[key] = 'folder'
        visit(path)
      } else state[key] = `${found.mode.toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    }
  }
  visit(home)
  return {
    ...state,
    stash: project.git('stash', 'list'),
    branches: project.git('for-each-ref', 'refs/heads/main', 'refs/tags', 'refs/stash'),
  }
}
