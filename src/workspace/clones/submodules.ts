/**
 * Manages the submodules of a work tree. They are clones that borrow the objects of the checkout's own copies. It uses
 * no network, works best effort, and a failure never fails the work.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { errnoOf, readNow } from '../../platform/files.ts'
import { unmountBelow } from '../../platform/mounts.ts'
import { headOf, isCloneWhole, writeCloneGitDir, type CloneSource } from './clone-git-dir.ts'
import { git, tryGit, tryGitScript } from '../git/git.ts'
import { publishIndex, type WorkTree } from './work-tree.ts'
import type { Shelf } from './worktree.ts'
import { gitDirsOf } from './worktree-link.ts'

export interface Submodule {
  path: string
  /** The commit in Looper's index. */
  pinned: string
  /** The checkout's own copy. */
  commonDir: string
  clone: CloneSource
  workTree: WorkTree
}

/**
 * Checks out the pinned commit in each submodule. Returns whether any submodule changed; the set-up files in it are
 * gone then.
 */
export async function populateSubmodules(workTree: WorkTree, shelf: Shelf, mark: string): Promise<boolean> {
  let isPutBack = false
  for (const { pinned, clone, workTree: inner } of await submodulesOf(workTree, shelf, mark)) {
    if (!isRealFolder(workTree.path, inner.path)) continue
    mkdirSync(inner.path, { recursive: true })
    const isUntouched = headOf(inner.gitDir) === pinned && isCloneWhole(inner.path, clone) && existsSync(inner.index)
    if (isUntouched && (await isClean(inner, pinned, mark))) continue
    isPutBack = true
    unmountBelow(inner.path)
    const placed = await tryGitScript(placeScript, [pinned], { workTree: inner, mark, timeoutMs: 10 * 60_000 })
    if (placed.exitCode !== 0) continue
    await writeCloneGitDir(inner.path, pinned, clone)
    publishIndex(inner)
  }
  return isPutBack
}

const placeScript = 'git read-tree --reset -u "$1" && exec git clean -ffdxq'

const cleanScript = 'git diff-index --quiet "$1" -- && [ -z "$(git ls-files --others --directory | head -n 1)" ]'

export const isClean = async (inner: WorkTree, pinned: string, mark: string): Promise<boolean> =>
  (await tryGitScript(cleanScript, [pinned], { workTree: inner, mark })).exitCode === 0

/** The submodules that the checkout has a copy of. A path counts only if it is a submodule in Looper's index. */
export async function submodulesOf(workTree: WorkTree, shelf: Shelf, mark: string): Promise<Submodule[]> {
  const file = join(workTree.path, '.gitmodules')
  if (!existsSync(file) || !lstatSync(file).isFile()) return []
  const args = ['config', '-z', '-f', file, '--get-regexp', String.raw`^submodule\..+\.path$`]
  const { stdout } = await tryGit(args, { workTree, mark })
  const names = new Map(
    stdout.split('\0').flatMap((entry): [string, string][] => {
      const [, name = '', path = ''] = /^submodule\.(.+)\.path\n([^]*)$/.exec(entry) ?? []
      return isInside(name) && isInside(path) ? [[path, name]] : []
    }),
  )
  if (names.size === 0) return []
  const pinned = await gitlinksIn(workTree, mark)
  const { gitDir } = gitDirsOf(shelf.root)
  const frozen = await shelf.frozen()
  return [...names].flatMap(([path, name]) => {
    const [commit, commonDir] = [pinned.get(path), join(gitDir, 'modules', name)]
    if (commit === undefined || !existsSync(join(commonDir, 'HEAD'))) return []
    const { env, clone } = frozen.sibling(name, commonDir)
    const inner = innerWorkTree(workTree, path, join(workTree.path, path, '.git'), env)
    return [{ path, pinned: commit, commonDir, clone, workTree: inner }]
  })
}

/** The files of a submodule, with an index of their own. */
export const innerWorkTree = (
  { path: root, index, excludes }: WorkTree,
  path: string,
  gitDir: string,
  env: Record<string, string>,
): WorkTree => ({
  path: join(root, path),
  gitDir,
  env,
  index: `${index}.${createHash('sha256').update(path).digest('hex').slice(0, 12)}`,
  excludes,
  foreign: [],
  usualIndex: null,
})

/** The mode of a submodule, as every version of the index has it. */
const gitlinkMode = Buffer.from([0, 0, 0xe0, 0])

/** The submodules in Looper's index, each with its commit. Usually there are none, and git is not started. */
export async function gitlinksIn(workTree: WorkTree, mark: string): Promise<Map<string, string>> {
  if (readNow(workTree.index)?.includes(gitlinkMode) !== true) return new Map()
  const listed = (await git(['ls-files', '--stage', '-z'], { workTree, mark })).split('\0')
  return new Map(
    listed.flatMap((entry): [string, string][] => {
      const [, commit, path] = /^160000 ([0-9a-f]+) 0\t([^]+)$/.exec(entry) ?? []
      return commit === undefined || path === undefined ? [] : [[path, commit]]
    }),
  )
}

const isInside = (path: string): boolean =>
  path !== ''
  && normalize(path) === path
  && !path.startsWith('/')
  && !path.split('/').some((part) => ['..', '.git'].includes(part))

/** Whether no part of the path is a link that leads elsewhere. */
export function isRealFolder(root: string, path: string): boolean {
  for (let folder = path; folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(folder)) return realpathSync(folder) === folder && folder.startsWith(root + sep)
  }
  return true
}

/** Whether the folder has more than a `.git`; true as well when it cannot be read. */
export function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name !== '.git')
  } catch (error) {
    return errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR'
  }
}
