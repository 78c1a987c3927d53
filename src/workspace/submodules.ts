/**
 * Manages the submodules of a work tree. They are clones that borrow the objects of the checkout's own copies. It uses
 * no network, works best effort, and a failure never fails the work.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { SubmoduleCommit, SubmoduleWork } from '../model/work.ts'
import { unmountBelow } from '../platform/mounts.ts'
import { plain } from '../views/plain-text.ts'
import { bringCommits, seeing } from './bring-commits.ts'
import { isHistoryClean } from './clean-history.ts'
import { headOf, isCloneWhole, writeCloneGitDir, type CloneSource } from './clone-git-dir.ts'
import { makeCommit } from './commit.ts'
import { git, tryGit, tryGitScript, type GitCall } from './git.ts'
import type { Keeping } from './left-work.ts'
import { publishIndex, type Place } from './place.ts'
import { attemptOf, runRefFolder } from './run-refs.ts'
import { safeName } from './safe-name.ts'
import type { Lease } from './slots.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Change, Entry } from './change.ts'
import { isGitlink } from './tree-changes.ts'
import type { Shelf } from './worktree.ts'
import { gitDirsOf } from './worktree-link.ts'

interface Submodule {
  path: string
  /** The commit in Looper's index. */
  pinned: string
  /** The checkout's own copy. */
  commonDir: string
  clone: CloneSource
  place: Place
}

/**
 * Checks out the pinned commit in each submodule. Returns whether any submodule changed; the set-up files in it are
 * gone then.
 */
export async function populateSubmodules(place: Place, shelf: Shelf, mark: string): Promise<boolean> {
  let isPutBack = false
  for (const { pinned, clone, place: inner } of await submodulesOf(place, shelf, mark)) {
    if (!isRealFolder(place.path, inner.path)) continue
    mkdirSync(inner.path, { recursive: true })
    const isUntouched = headOf(inner.gitDir) === pinned && isCloneWhole(inner.path, clone) && existsSync(inner.index)
    if (isUntouched && (await isClean(inner, pinned, mark))) continue
    isPutBack = true
    unmountBelow(inner.path)
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

/**
 * Saves commits that an agent made inside a submodule before its work tree is removed: the checkout's copy keeps them
 * under `ref`, unless they contain a secret. Returns the commits that no remote has, so that others cannot clone them.
 */
export async function keepSubmoduleCommits(
  place: Place,
  shelf: Shelf,
  changes: readonly Change[],
  ref: string,
  keeping: Pick<Keeping, 'isClean'>,
  mark: string,
): Promise<SubmoduleCommit[]> {
  const unpushed: SubmoduleCommit[] = []
  for (const { path, place: inner, from, commit } of await movedSubmodules(place, shelf, changes, mark)) {
    const call: GitCall = { cwd: place.path, mark, env: inner.env }
    const isClean = (await scan(inner, from, commit, keeping, call)) === 'clean'
    const isThere = isClean && (await bring(inner, commit, call))
    const isKept = isThere && (await tryGit(['update-ref', ref, commit], call)).exitCode === 0
    if (!isThere || !(await isPushed(commit, call))) unpushed.push({ path, commit, kept: isKept ? ref : null })
  }
  return unpushed
}

/** Whether a remote branch or a tag contains the commit, as of the last fetch. */
async function isPushed(commit: string, call: GitCall): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', commit, '--not', '--remotes', '--tags', '--']
  const { exitCode, stdout } = await tryGit(args, call)
  return exitCode === 0 && stdout.trim() === ''
}

/** Paths of submodules for which the change names commits that contain a secret. */
export async function leakingSubmodules(
  place: Place,
  shelf: Shelf,
  changes: readonly Change[],
  keeping: Pick<Keeping, 'isClean'>,
  mark: string,
): Promise<string[]> {
  const leaking: string[] = []
  for (const { path, place: inner, from, commit } of await movedSubmodules(place, shelf, changes, mark)) {
    const call: GitCall = { cwd: place.path, mark, env: inner.env }
    if ((await scan(inner, from, commit, keeping, call)) === 'secret') leaking.push(path)
  }
  return leaking
}

async function movedSubmodules(place: Place, shelf: Shelf, changes: readonly Change[], mark: string) {
  const linked = (entry: Entry | null): string | null => (entry !== null && isGitlink(entry) ? entry.object : null)
  const moved = new Map(
    changes.flatMap(({ path, from, to }) => {
      const commit = linked(to)
      return commit === null ? [] : [[path, { from: linked(from), commit }]]
    }),
  )
  if (moved.size === 0) return []
  return (await submodulesOf(place, shelf, mark)).flatMap((submodule) => {
    const change = moved.get(submodule.path)
    return change ? [{ ...submodule, ...change }] : []
  })
}

/** Scans the commits in the agent's clone before any of them is copied. `unknown`: git cannot read them. */
async function scan(
  inner: Place,
  from: string | null,
  commit: string,
  { isClean }: Pick<Keeping, 'isClean'>,
  call: GitCall,
): Promise<'clean' | 'secret' | 'unknown'> {
  if (isClean === undefined) return 'clean'
  try {
    return (await isHistoryClean(commit, from, isClean, seeing(inner.gitDir, call))) ? 'clean' : 'secret'
  } catch (error) {
    if (error instanceof LooperError && error.code === 'WORKSPACE_GIT') return 'unknown'
    throw error
  }
}

/** Paths of submodules whose files differ from their checked-out commit. These edits are in no commit. */
export async function dirtySubmodules(
  place: Place,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<string[]> {
  return (await editedSubmodules(place, shelf, lease, keeping, mark)).map(({ path }) => path)
}

/** Commits such edits to the checkout's copy of the submodule under the run's refs, unless they contain a secret. */
export async function keepSubmoduleEdits(
  place: Place,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<SubmoduleWork[]> {
  const found: SubmoduleWork[] = []
  for (const edited of await editedSubmodules(place, shelf, lease, keeping, mark)) {
    found.push({ kind: 'edits', path: edited.path, kept: await keepEdits(edited, lease, keeping, mark) })
  }
  return found
}

/** The ref that keeps the edits; null when they are not kept. */
async function keepEdits(
  { path, tree, parent, place: inner }: Edited,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<string | null> {
  const { cwd, env } = await keeping.call(mark)
  const call: GitCall = { cwd, mark, env: { ...env, ...inner.env } }
  const folder = `${runRefFolder(keeping.run)}/${safeName(lease.workspace)}`
  const listed = (await git(['for-each-ref', '--format=%(tree) %(refname)', folder], call)).split('\n')
  const known = listed.find((line) => line.startsWith(`${tree} `))
  if (known !== undefined) return known.slice(tree.length + 1)
  const subject = `What was left of ${plain(lease.work, 60)} in ${plain(path, 60)}`
  const message = `${subject}\n\nLooper-Run: ${plain(keeping.run)}\n`
  const made = await makeCommit({ tree, parents: [parent], message }, call)
  const { isClean } = keeping
  if (isClean !== undefined && !(await isHistoryClean(made, parent, isClean, call))) return null
  const ref = `${folder}/${attemptOf(lease.work)}-left-${made.slice(0, 12)}`
  await git(['update-ref', ref, made], call)
  return ref
}

/** Copies a commit of the agent into the checkout's copy unless it is already there; false on failure. */
async function bring(inner: Place, commit: string, call: GitCall): Promise<boolean> {
  if ((await tryGit(['cat-file', '-e', `${commit}^{tree}`], call)).exitCode === 0) return true
  const known = (await tryGit(['rev-parse', '--all'], call)).stdout.split('\n').filter((line) => line !== '')
  return (await bringCommits(inner.gitDir, [commit], known, call)).length > 0
}

/** `parent`: the newest commit below the edits that contains no secret. */
type Edited = Submodule & { tree: string; parent: string }

async function editedSubmodules(
  place: Place,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<Edited[]> {
  const edited: Edited[] = []
  for (const submodule of await submodulesOf(place, shelf, mark)) {
    const { path, place: inner, pinned } = submodule
    if (!isRealFolder(place.path, inner.path) || !existsSync(join(inner.path, '.git'))) continue
    const head = headOf(inner.gitDir) ?? pinned
    const call: GitCall = { cwd: place.path, mark, env: inner.env }
    const begun = await begunAt(path, lease, keeping, mark)
    const isScanned = head === begun || (await scan(inner, begun, head, keeping, call)) === 'clean'
    const parent = isScanned ? head : begun
    if (parent === null || !(await bring(inner, parent, call))) continue
    const committed = await treeOf(head, seeing(inner.gitDir, call))
    const base = parent === head ? committed : await treeOf(parent, call)
    if (committed === null || base === null) continue
    const { tree } = await takeSnapshot(inner, { id: base }, 'content', mark, 'left-out')
    if (tree !== committed) edited.push({ ...submodule, tree, parent })
  }
  return edited
}

/** The commit of the submodule that the agent started from; null when the path was no submodule then. */
async function begunAt(path: string, { head }: Lease, keeping: Keeping, mark: string): Promise<string | null> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', `${head}:${path}`], await keeping.call(mark))
  return found.exitCode === 0 ? found.stdout.trim() : null
}

async function treeOf(commit: string, call: GitCall): Promise<string | null> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], call)
  return found.exitCode === 0 ? found.stdout.trim() : null
}

/** The submodules that the checkout has a copy of. A path counts only if it is a submodule in Looper's index. */
async function submodulesOf(place: Place, shelf: Shelf, mark: string): Promise<Submodule[]> {
  const file = join(place.path, '.gitmodules')
  if (!existsSync(file) || !lstatSync(file).isFile()) return []
  const args = ['config', '-z', '-f', file, '--get-regexp', String.raw`^submodule\..+\.path$`]
  const { stdout } = await tryGit(args, { place, mark })
  const names = new Map(
    stdout.split('\0').flatMap((entry): [string, string][] => {
      const [, name = '', path = ''] = /^submodule\.(.+)\.path\n([^]*)$/.exec(entry) ?? []
      return isInside(name) && isInside(path) ? [[path, name]] : []
    }),
  )
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
      path: join(place.path, path),
      gitDir: join(place.path, path, '.git'),
      env,
      index,
      excludes: place.excludes,
      foreign: [],
      usualIndex: null,
    }
    return [{ path, pinned: commit, commonDir, clone, place: inner }]
  })
}

const isInside = (path: string): boolean =>
  path !== ''
  && normalize(path) === path
  && !path.startsWith('/')
  && !path.split('/').some((part) => ['..', '.git'].includes(part))

/** Whether no part of the path is a link that leads elsewhere. */
function isRealFolder(root: string, path: string): boolean {
  for (let folder = path; folder.length > root.length; folder = dirname(folder)) {
    if (existsSync(folder)) return realpathSync(folder) === folder && folder.startsWith(root + sep)
  }
  return true
}
