/**
 * Lists the files that Looper puts into a work tree (copied files, set-up products, the backlog) and that must never
 * appear in a change.
 */
import { readNow } from '../../platform/files.ts'
import { replaceFile, type WorkTree } from './work-tree.ts'

/** The user's backlog in the checkout. It is excluded even when an agent writes it. */
export const backlogFile = 'to-do.json'

/** Includes the names without a slash, because an agent may have replaced a folder with a link or a file. */
const always = [
  backlogFile,
  ...['.looper/runs', '.looper/worktrees', '.looper/loop'].flatMap((folder) => [folder, `${folder}/`]),
]
/**
 * As a folder, `.looper` contains files that people write, so it is not ignored. Git has no ignore pattern for "not a
 * folder", so only `isExcluded` covers it.
 */
const neverAFile = '.looper'

/** Leftovers of writing a backlog, in any folder, and of a `.git` whose replacement was interrupted by a crash. */
const leftovers = ['*.json.bak-*', '.*.json.tmp-*', '/.git.looper-*']

/** `userRules` are the user's global ignore rules. Git reads this file instead of theirs. */
export function writeExcludes(workTree: WorkTree, userRules: string): void {
  const rules = [userRules, ...[...always, ...workTree.foreign].map(pattern), ...leftovers, ''].join('\n')
  if (readNow(workTree.excludes)?.toString('utf8') !== rules) replaceFile(workTree.excludes, rules)
}

export const isExcluded = (path: string, foreign: readonly string[]): boolean =>
  [neverAFile, ...always, ...foreign].some((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)))

/** An ignore pattern that matches only this path. A pattern cannot contain a line feed, so `?` stands for it. */
export const pattern = (path: string): string =>
  `/${path
    .replace(/[\\*?[\]]/g, '\\$&')
    .replace(/\n/g, '?')
    .replace(/ $/, '\\ ')}`
