/** Checks out a tree into a verification workspace with Looper's own git directory and index. */
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { readNow } from '../../platform/files.ts'
import type { ProcessResult } from '../../platform/run-process.ts'
import { git, gitError, tryGit, tryGitScript, type GitCall } from '../git/git.ts'
import { dropIndexLock, type WorkTree } from '../clones/work-tree.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import { areUnchanged } from '../index/compare-files.ts'
import { readIndexFile } from '../index/index-file.ts'
import { fillQuickly, moveQuickly } from '../index/move-files.ts'

/** The settings of a fresh clone, whatever the user's checkout uses. */
const config = ['core.fileMode=true', 'core.symlinks=true', 'core.sparseCheckout=false', 'core.bare=false']

const script = `
tree=$(git rev-parse --verify --quiet "$1^{tree}") || { echo "fatal: there is no tree of $1" >&2; exit 128; }
git read-tree --reset -u "$tree" && echo "$tree"`

export interface CheckoutCall {
  workTree: WorkTree
  mark: string
  /** The user's object folder, unless the git directory leads to it. */
  objects?: string
  signal?: AbortSignal
  /** Reads objects and writes files without starting git where possible. */
  quick?: QuickObjects
}

const callOf = ({ workTree, mark, objects, signal }: CheckoutCall): GitCall => ({
  workTree,
  mark,
  signal,
  config,
  ...(objects === undefined ? {} : { env: { GIT_OBJECT_DIRECTORY: objects } }),
})

/** The commit for HEAD and the tree of the files; a null tree means the commit's own. */
export interface Target {
  commit: string
  tree: string | null
}

/** What is in the workspace: nothing, exactly the files of the index and of set-up, or anything. */
export type Content = 'nothing' | 'index' | 'anything'

/** Returns the id of the tree. Replaces files in the way. */
export async function checkout(
  { commit, tree }: Target,
  call: CheckoutCall,
  content: Content = 'anything',
): Promise<string> {
  dropIndexLock(call.workTree)
  const wanted = tree ?? call.quick?.treeOf(commit) ?? null
  if (wanted !== null && checkoutQuickly(wanted, call, content)) return wanted
  const result =
    tree === null
      ? await tryGitScript(script, [commit], callOf(call))
      : await tryGit(['read-tree', '--reset', '-u', tree], callOf(call))
  if (result.exitCode !== 0) throw refused(result)
  return tree ?? result.stdout.trim()
}

function checkoutQuickly(tree: string, { workTree, quick }: CheckoutCall, content: Content): boolean {
  if (!quick || content === 'anything') return false
  return content === 'nothing' ? fillQuickly(workTree, tree, quick) : moveQuickly(workTree, tree, quick)
}

/** Messages that blame the machine and not the tree. Git reports a full disk without the reason. */
const machine = new RegExp(
  [
    'there is no tree',
    'failed to unpack tree',
    'unable to read',
    'bad object',
    'missing blob',
    'not a git repository',
    'dubious ownership',
    'out of memory',
    'unable to create file .+: (Permission denied|Input/output error|Too many open files|Cannot allocate memory)',
  ]
    .map((text) => `^(fatal|error): .*${text}`)
    .join('|'),
  'im',
)
const unwritten = /^(fatal|error): .*unable to write/m

function refused(result: ProcessResult): LooperError {
  const error = gitError(['read-tree'], result)
  if (error.code !== 'WORKSPACE_GIT' || result.exitCode === null || machine.test(result.stderr)) return error
  const [code, why] = unwritten.test(result.stderr)
    ? (['ENVIRONMENT_DISK_FULL', 'A file could not be written'] as const)
    : (['WORKSPACE_CONTENT', 'Git cannot check out this tree'] as const)
  return new LooperError(code, `${why}: ${error.message}`, { details: error.details })
}

/**
 * Files that differ from what git wrote, by times, inode and, where times are too coarse, content. Unlike a manifest,
 * it also covers changes between the checkout and the scan.
 */
export async function writtenSince(tree: string, call: CheckoutCall): Promise<string[]> {
  if (isAsWritten(tree, call.workTree)) return []
  const settings = [...config, 'core.trustctime=true', 'core.checkStat=default', 'core.fsmonitor=false']
  const args = ['diff-files', '-z', '--name-only', '--ignore-submodules=all']
  const listed = await git(args, { ...callOf(call), config: settings, encoding: 'latin1' })
  return listed.split('\0').filter((path) => path !== '')
}

/** False also when only git can decide. */
function isAsWritten(tree: string, workTree: WorkTree): boolean {
  try {
    const index = readIndexFile(workTree.index, tree)
    return index !== null && areUnchanged(workTree.path, index)
  } catch {
    return false
  }
}

/** Paths of submodules in the index as bytes (latin1), each with its commit. */
export async function gitlinks(call: CheckoutCall): Promise<Map<string, string>> {
  const listed = await git(['ls-files', '--stage', '-z'], { ...callOf(call), encoding: 'latin1' })
  const links = listed.split('\0').filter((entry) => entry.startsWith('160000 '))
  return new Map(links.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry.split(' ')[1] ?? '']))
}

export const hasSubmodules = (path: string): boolean => readNow(join(path, '.gitmodules')) !== null
