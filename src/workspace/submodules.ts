/**
 * Submodules of a work tree are clones like the work tree itself: they borrow the objects of the checkout's own copies.
 * No network, best effort, never a reason to fail.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { plain } from '../views/plain-text.ts'
import { bringCommits } from './bring-commits.ts'
import { headOf, isCloneWhole, writeCloneGitDir, type CloneSource } from './clone-git-dir.ts'
import { makeCommit } from './commit.ts'
import { git, tryGit, tryGitScript, type GitCall } from './git.ts'
import type { Keeping } from './left-work.ts'
import { publishIndex, type Place } from './place.ts'
import { attemptOf, runRefFolder } from './run-refs.ts'
import { safeName } from './safe-name.ts'
import type { Lease } from './slots.ts'
import { takeSnapshot } from './snapshot.ts'
import { isGitlink, type Change } from './tree-changes.ts'
import type { Shelf } from './worktree.ts'
import { gitDirsOf } from './worktree-link.ts'

interface Submodule {
  path: string
  /** The commit that Looper's index names. */
  pinned: string
  /** The checkout's own copy. */
  commonDir: string
  clone: CloneSource
  place: Place
}

/** Puts each at the pinned commit. Returns whether any was not: what set-up brought into it is gone then. */
export async function populateSubmodules(place: Place, shelf: Shelf, mark: string): Promise<boolean> {
  let isPutBack = false
  for (const { pinned, clone, place: inner } of await submodulesOf(place, shelf, mark)) {
    if (!isRealFolder(place.path, inner.path)) continue
    mkdirSync(inner.path, { recursive: true })
    const isUntouched = headOf(inner.gitDir) === pinned && isCloneWhole(inner.path, clone) && existsSync(inner.index)
    if (isUntouched && (await isClean(inner, pinned, mark))) continue
    isPutBack = true
    const placed = await tryGitScript(placeScript, [pinned], { place: inner, mark, timeoutMs: 10 * 60_000 })
    if (placed.exitCode !== 0) continue
    await writeCloneGitDir(inner.path, pinned, clone)
    publishIndex(inner)
  }
  return isPutBack
}

const placeScript = 'git read-tree --reset -u "$1" && exec git clean -ffdxq'

const cleanScript = 'git diff-index --quiet "$1" -- && [ -z "$(git ls-files --others --directory | head -n 1)" ]'

const isClean = async (inner: Place, pinned: string, mark: string): Promise<boolean> =>
  (await tryGitScript(cleanScript, [pinned], { place: inner, mark })).exitCode === 0

/** Commits that an agent made inside a submodule would go with its work tree: the checkout's copy keeps them. */
export async function keepSubmoduleCommits(
  place: Place, shelf: Shelf, changes: readonly Change[], ref: string, mark: string,
): Promise<void> {
  const moved = changes.filter(({ to }) => isGitlink(to))
  if (moved.length === 0) return
  for (const { path, place: inner } of await submodulesOf(place, shelf, mark)) {
    const change = moved.find((each) => each.path === path)
    const commit = change?.to?.object
    if (commit === undefined) continue
    const call: GitCall = { cwd: place.path, mark, env: inner.env }
    const arrived = await bring(inner, commit, call)
    if (arrived) await tryGit(['update-ref', ref, commit], call)
  }
}

/** Paths of submodules whose files differ from the commit that is checked out there: these edits are in no commit. */
export async function dirtySubmodules(place: Place, shelf: Shelf, mark: string): Promise<string[]> {
  return (await editedSubmodules(place, shelf, mark)).map(({ path }) => path)
}

/** Commits such edits to the checkout's copy of the submodule, under the run's own refs. */
export async function keepSubmoduleEdits(
  place: Place, shelf: Shelf, lease: Lease, keeping: Keeping, mark: string,
): Promise<void> {
  const { env: identity } = await keeping.call(mark)
  for (const { path, tree, head, place: inner } of await editedSubmodules(place, shelf, mark)) {
    const call: GitCall = { cwd: place.path, mark, env: { ...identity, ...inner.env } }
    const folder = `${runRefFolder(keeping.run)}/${safeName(lease.workspace)}`
    const kept = (await git(['for-each-ref', '--format=%(tree)', folder], call)).split('\n')
    if (kept.includes(tree)) continue
    const subject = `What was left of ${plain(lease.work, 60)} in ${plain(path, 60)}`
    const message = `${subject}\n\nLooper-Run: ${plain(keeping.run)}\n`
    const commit = await makeCommit({ tree, parents: [head], message }, call)
    await git(['update-ref', `${folder}/${attemptOf(lease.work)}-left-${commit.slice(0, 12)}`, commit], call)
  }
}

/** Copies a commit of the agent into the checkout's copy, where it is not there yet; false when that cannot be done. */
async function bring(inner: Place, commit: string, call: GitCall): Promise<boolean> {
  if ((await tryGit(['cat-file', '-e', `${commit}^{tree}`], call)).exitCode === 0) return true
  const known = (await tryGit(['rev-parse', '--all'], call)).stdout.split('\n').filter((line) => line !== '')
  return (await bringCommits(inner.gitDir, [commit], known, call)).length > 0
}

async function editedSubmodules(place: Place, shelf: Shelf, mark: string) {
  const edited: (Submodule & { tree: string; head: string })[] = []
  for (const submodule of await submodulesOf(place, shelf, mark)) {
    const { place: inner, pinned } = submodule
    if (!isRealFolder(place.path, inner.path) || !existsSync(join(inner.path, '.git'))) continue
    const head = headOf(inner.gitDir) ?? pinned
    const call: GitCall = { cwd: place.path, mark, env: inner.env }
    if (!(await bring(inner, head, call))) continue
    const committed = await tryGit(['rev-parse', '--verify', '--quiet', `${head}^{tree}`], call)
    if (committed.exitCode !== 0) continue
    const { tree } = await takeSnapshot(inner, { id: committed.stdout.trim() }, 'content', mark, 'left-out')
    if (tree !== committed.stdout.trim()) edited.push({ ...submodule, tree, head })
  }
  return edited
}

/** Those that the checkout has a copy of. Only a path of the work tree that is a submodule in Looper's index is one. */
async function submodulesOf(place: Place, shelf: Shelf, mark: string): Promise<Submodule[]> {
  const file = join(place.path, '.gitmodules')
  if (!existsSync(file) || !lstatSync(file).isFile()) return []
  const args = ['config', '-z', '-f', file, '--get-regexp', String.raw`^submodule\..+\.path$`]
  const { stdout } = await tryGit(args, { place, mark })
  const names = new Map(stdout.split('\0').flatMap((entry): [string, string][] => {
    const [, name = '', path = ''] = /^submodule\.(.+)\.path\n([^]*)$/.exec(entry) ?? []
    return isInside(name) && isInside(path) ? [[path, name]] : []
  }))
  if (names.size === 0) return []
  const listed = await git(['ls-files', '--stage', '-z'], { place, mark })
  const links = listed.matchAll(/160000 ([0-9a-f]+) 0\t([^\0]+)\0?/g)
  const pinned = new Map([...links].map(([, commit = '', path = '']) => [path, commit]))
  const { gitDir } = gitDirsOf(shelf.root)
  const frozen = await shelf.frozen()
  return [...names].flatMap(([path, name]) => {
    const [commit, commonDir] = [pinned.get(path), join(gitDir, 'modules', name)]
    if (commit === undefined || !existsSync(join(commonDir, 'HEAD'))) return []
    const { env, clone } = frozen.sibling(name, commonDir)
    const index = `${place.index}.${createHash('sha256').update(path).digest('hex').slice(0, 12)}`
    const inner: Place = {
      path: join(place.path, path), gitDir: join(place.path, path, '.git'), env, index, excludes: place.excludes,
      foreign: [], usualIndex: null,
    }
    return [{ path, pinned: commit, commonDir, clone, place: inner }]
  })
}

const isInside = (path: string): boolean =>
  path !== '' && normalize(path) === path && !path.startsWith('/') && !path.split('/').some((part) => ['..', '.git'].includes(part))

/** No part of the way there is a link that leads elsewhere. */
function isRealFolder(root: string, path: string): boolean {
  for (let folder = path; folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(folder)) return realpathSync(folder) === folder && folder.startsWith(root + sep)
  }
  return true
}
