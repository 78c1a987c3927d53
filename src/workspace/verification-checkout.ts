/** Puts the files of a tree into a verification workspace, with Looper's own git directory and index. */
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { readNow } from '../platform/files.ts'
import type { ProcessResult } from '../platform/run-process.ts'
import { git, gitError, tryGitScript, type GitCall } from './git.ts'
import { dropIndexLock, type Place } from './place.ts'

/** What a fresh clone has on this machine, whatever the settings of the user's checkout are; and git compares every time it can. */
const config = [
  'core.trustctime=true', 'core.checkStat=default', 'core.fileMode=true', 'core.symlinks=true', 'core.sparseCheckout=false', 'core.bare=false',
]

/**
 * `$1` is the tree or commit, `$2` the tree whose files are there, if any. Attributes decide how a file is written, but git writes no file
 * again because its attributes changed: the answer is exit code 9 then.
 */
const script = `
tree=$(git rev-parse --verify --quiet "$1^{tree}") || { echo "fatal: there is no tree $1" >&2; exit 128; }
[ -z "$2" ] || git diff-tree -r --quiet "$2" "$tree" -- ':(top,glob,icase)**/.gitattributes' || exit 9
git read-tree --reset -u "$tree" && echo "$tree"`

export interface CheckoutCall {
  place: Place
  mark: string
  /** Where git finds the user's objects, unless the git directory says so itself. */
  objects?: string
  signal?: AbortSignal
}

const callOf = ({ place, mark, objects, signal }: CheckoutCall): GitCall =>
  ({ place, mark, signal, config, ...(objects === undefined ? {} : { env: { GIT_OBJECT_DIRECTORY: objects } }) })

/** Returns the id of the tree; null when all files have to be written anew because attributes changed. Files in the way are replaced. */
export async function checkout(what: string, from: string | null, call: CheckoutCall): Promise<string | null> {
  dropIndexLock(call.place)
  const result = await tryGitScript(script, [what, from ?? ''], callOf(call))
  if (result.exitCode === 9) return null
  if (result.exitCode !== 0) throw refused(result)
  return result.stdout.trim()
}

/** Git that is killed or misses objects says nothing about the tree; everything else that it refuses is the tree's own fault. */
function refused(result: ProcessResult): LooperError {
  const error = gitError(['read-tree'], result)
  const elsewhere = /there is no tree|unable to read|bad object|missing blob|not a git repository|dubious ownership|out of memory/i
  if (error.code !== 'WORKSPACE_GIT' || result.exitCode === null || elsewhere.test(result.stderr)) return error
  return new LooperError('WORKSPACE_CONTENT', `Git cannot check out this tree: ${error.message}`, { details: error.details })
}

/** The paths of submodules in the index by their bytes (latin1), each with its commit. */
export async function gitlinks(call: CheckoutCall): Promise<Map<string, string>> {
  const listed = await git(['ls-files', '--stage', '-z'], { ...callOf(call), encoding: 'latin1' })
  const links = listed.split('\0').filter((entry) => entry.startsWith('160000 '))
  return new Map(links.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry.split(' ')[1] ?? '']))
}

export const hasSubmodules = (path: string): boolean => readNow(join(path, '.gitmodules')) !== null
