/**
 * Creates, finds and resets a work tree: a clone that borrows the user's objects. It works whatever an agent did there.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { ifExists, whenExists } from '../../platform/files.ts'
import type { InTurn } from '../../platform/in-turn.ts'
import { removeNow, unmountBelow } from '../../platform/mounts.ts'
import { isCloneWhole } from './clone-git-dir.ts'
import { pattern } from './excludes.ts'
import type { FrozenGit } from '../git/frozen-git.ts'
import { git, gitError, tryGit, tryGitScript } from '../git/git.ts'
import { dropIndexLock, publishIndex, type WorkTree } from './work-tree.ts'
import { readStamp } from '../setup/provision.ts'
import { fillQuickly, resetQuickly } from '../index/move-files.ts'
import { enter, removeTree, setAside } from './remove-tree.ts'
import { stageAll, takeSnapshot } from './snapshot.ts'

export interface Shelf {
  root: string
  commonDir: string
  /** The folder of this run's work trees. */
  folder: string
  serially: InTurn
  /** Paths that are never part of a change in any work tree. */
  own: readonly string[]
  /** The git directory of Looper's own git. */
  frozen(): Promise<FrozenGit>
}

/** A commit and its tree. */
export interface Target {
  commit: string
  tree: string
}

export const stateFolder = (folder: string): string => join(folder, '.state')

/** Files about a work tree lie beside it, not in it. */
export function besides(folder: string, name: string) {
  const file = (kind: string): string => join(stateFolder(folder), `${name}.${kind}`)
  return {
    path: join(folder, name),
    index: file('index'),
    excludes: file('exclude'),
    stamp: file('setup'),
    manifest: file('manifest'),
  }
}

/** Finds the work tree and repairs its `.git`; null when it does not exist or was never completed. */
export async function findWorktree(
  shelf: Shelf,
  name: string,
  commit: () => Promise<string>,
): Promise<WorkTree | null> {
  const { path, index, stamp } = besides(shelf.folder, name)
  enter(path)
  // If an agent replaced the folder with a link, Looper would change the files at its target.
  if (!isFolder(path) || realpathSync.native(path) !== path || readdirSync(path).length === 0) return null
  const frozen = await shelf.frozen()
  mkdirSync(dirname(index), { recursive: true })
  const workTree = workTreeAt(shelf, name, frozen, [...new Set([...shelf.own, ...(readStamp(stamp)?.foreign ?? [])])])
  if (isCloneWhole(path, frozen.clone)) return workTree
  await frozen.writeGitDir(path, await commit())
  if (existsSync(index)) publishIndex(workTree)
  return workTree
}

const isFolder = (path: string): boolean => ifExists(() => lstatSync(path), path)?.isDirectory() === true

function workTreeAt(shelf: Shelf, name: string, frozen: FrozenGit, foreign: string[]): WorkTree {
  const { path, index, excludes } = besides(shelf.folder, name)
  const { env, quick } = frozen
  return { path, gitDir: join(path, '.git'), env, index, excludes, foreign, usualIndex: null, quick }
}

/**
 * Creates the work tree at the commit. Removes the old content unless it is `worthKeeping`; null when that cannot be
 * moved away.
 */
export async function makeWorktree(
  shelf: Shelf,
  name: string,
  target: Target,
  worthKeeping: boolean,
  mark: string,
): Promise<WorkTree | null> {
  const { path, index, excludes, stamp, manifest } = besides(shelf.folder, name)
  const frozen = await shelf.frozen()
  const isFree = await shelf.serially(async () => {
    if ((await whenExists(lstat(shelf.folder), shelf.folder))?.isSymbolicLink()) await removeTree(shelf.folder)
    if (!(await clearPath(path, stateFolder(shelf.folder), worthKeeping))) return false
    await mkdir(dirname(index), { recursive: true })
    for (const file of [index, excludes, stamp, manifest]) removeNow(file)
    await mkdir(path, { recursive: true })
    return true
  })
  if (!isFree) return null
  const workTree = workTreeAt(shelf, name, frozen, [...shelf.own])
  await resetWorktree(workTree, target, [], frozen, mark)
  return workTree
}

/** Content that cannot be removed stays in the state folder, which `looper clean` removes with the run. */
async function clearPath(path: string, state: string, worthKeeping: boolean): Promise<boolean> {
  if (!ifExists(() => lstatSync(path), path)) return true
  const aside = setAside(path, state)
  if (aside !== null && !worthKeeping) await removeTree(aside).catch(() => {})
  return aside !== null
}

/** Resets everything as in a fresh clone at the commit, with ignored files and `.git`. The paths in `kept` stay. */
export async function resetWorktree(
  workTree: WorkTree,
  { commit, tree }: Target,
  kept: readonly string[],
  frozen: FrozenGit,
  mark: string,
): Promise<void> {
  unmountBelow(workTree.path)
  dropIndexLock(workTree)
  const isEmpty = readdirSync(workTree.path).length === 0
  const isDone = isEmpty ? fillQuickly(workTree, tree, frozen.quick) : resetQuickly(workTree, tree, kept, frozen.quick)
  if (!isDone) {
    const exceptions = kept.flatMap((path) => ['-e', pattern(path)])
    const result = isEmpty
      ? await tryGit(['read-tree', '--reset', '-u', commit], { workTree, mark })
      : await tryGitScript(resetScript, [commit, ...exceptions], { workTree, mark })
    if (result.exitCode !== 0) throw gitError(['read-tree'], result)
  }
  await frozen.writeGitDir(workTree.path, commit)
  publishIndex(workTree)
}

const resetScript = 'git read-tree --reset -u "$1" && shift && exec git clean -ffdxq "$@"'

/** Replaces the files with those of `tree`. */
export async function moveTo(workTree: WorkTree, tree: string, mark: string): Promise<void> {
  unmountBelow(workTree.path)
  dropIndexLock(workTree)
  await stageAll(workTree, true, mark, 'left-out').catch(passContent)
  await git(['read-tree', '--reset', '-u', tree], { workTree, mark })
}

/** Restores the files to `tree` and returns the paths that differed. */
export async function restoreTree(workTree: WorkTree, tree: string, mark: string): Promise<string[]> {
  unmountBelow(workTree.path)
  const found = await takeSnapshot(workTree, { id: tree }, 'content', mark, 'left-out').catch(passContent)
  if (found?.changes.length === 0) return []
  await git(['read-tree', '--reset', '-u', tree], { workTree, mark })
  await git(['clean', '-ffdq'], { workTree, mark })
  // Otherwise the next snapshot would follow what was staged here.
  publishIndex(workTree)
  return found?.changes.map(({ path }) => path) ?? []
}

/** Ignores content that git refuses, because it is overwritten or removed next. */
function passContent(error: unknown): null {
  if (error instanceof LooperError && error.code === 'WORKSPACE_CONTENT') return null
  throw error
}
