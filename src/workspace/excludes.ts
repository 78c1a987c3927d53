/**
 * What Looper brings into a work tree (copied files, products of set-up, the backlog) and must never come out in a
 * change.
 */
import { readNow } from '../platform/files.ts'
import { replaceFile, type Place } from './place.ts'

/** The user's own file in the checkout, whoever writes it. */
export const backlogFile = 'to-do.json'

/** The names too: an agent may have put a link or a file in the place of a folder. */
const always = [
  backlogFile,
  ...['.looper/runs', '.looper/worktrees', '.looper/loop'].flatMap((folder) => [folder, `${folder}/`]),
]
/** As a folder it holds what people write themselves; git has no pattern for what is none. */
const neverAFile = '.looper'

/**
 * What writing a backlog may leave beside it, wherever it is, and what a crash may leave of a `.git` that was replaced.
 */
const leftovers = ['*.json.bak-*', '.*.json.tmp-*', '/.git.looper-*']

/** `userRules` are the user's global ignore rules, which these replace for git. */
export function writeExcludes(place: Place, userRules: string): void {
  const rules = [userRules, ...[...always, ...place.foreign].map(pattern), ...leftovers, ''].join('\n')
  if (readNow(place.excludes)?.toString('utf8') !== rules) replaceFile(place.excludes, rules)
}

export const isExcluded = (path: string, foreign: readonly string[]): boolean =>
  [neverAFile, ...always, ...foreign].some((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry)))

/**
 * An ignore pattern that matches this path only; a line feed cannot be written in one, so there any character will do.
 */
export const pattern = (path: string): string =>
  `/${path
    .replace(/[\\*?[\]]/g, '\\$&')
    .replace(/\n/g, '?')
    .replace(/ $/, '\\ ')}`
