/** The files with ignore rules that git reads from outside a work tree. */
import { join, resolve } from 'node:path'
import type { WorkTree } from '../clones/work-tree.ts'
import { readLine } from '../git/loose-ref.ts'

export const ownRules = (workTree: WorkTree): string[] => [
  workTree.excludes,
  join(commonDirOf(workTree), 'info/exclude'),
]

/** The git directory that Looper's git uses for the work tree, or the one that it shares with others. */
export function commonDirOf({ gitDir, env }: WorkTree): string {
  const own = env?.['GIT_DIR'] ?? gitDir
  return resolve(own, readLine(join(own, 'commondir')) ?? '.')
}
