/** Saves commits that agents made inside submodules, and finds those that contain a secret. */
import type { SubmoduleCommit } from '../../model/work.ts'
import { bringCommits } from './bring-commits.ts'
import { scanCommits } from './clean-history.ts'
import { tryGit, type GitCall } from '../git/git.ts'
import type { Keeping } from './left-work.ts'
import { keepUncopied } from './uncopied-submodules.ts'
import type { WorkTree } from './work-tree.ts'
import type { Change, Entry } from '../git/change.ts'
import { isGitlink } from '../git/tree-changes.ts'
import type { Shelf } from './worktree.ts'
import { submodulesOf } from './submodules.ts'

/**
 * Saves commits that an agent made inside a submodule before its work tree is removed: the checkout's copy keeps them
 * under `ref`, unless they contain a secret. Returns the commits that no remote has, so that others cannot clone them.
 */
export async function keepSubmoduleCommits(
  workTree: WorkTree,
  shelf: Shelf,
  changes: readonly Change[],
  ref: string,
  keeping: Pick<Keeping, 'isClean'>,
  mark: string,
): Promise<SubmoduleCommit[]> {
  const unpushed: SubmoduleCommit[] = []
  const moved = await movedSubmodules(workTree, shelf, changes, mark)
  for (const { path, workTree: inner, from, commit } of moved) {
    const call: GitCall = { cwd: workTree.path, mark, env: inner.env }
    const isClean = (await scanCommits(inner, from, commit, keeping, call)) === 'clean'
    const isThere = isClean && (await bringCommit(inner, commit, call))
    const isKept = isThere && (await tryGit(['update-ref', ref, commit], call)).exitCode === 0
    if (!isThere || !(await isPushed(commit, call))) unpushed.push({ path, commit, kept: isKept ? ref : null })
  }
  const copied = new Set(moved.map(({ path }) => path))
  const others = changes.flatMap(({ path, to }) => {
    const commit = linkedCommit(to)
    return commit === null || copied.has(path) ? [] : [{ path, commit }]
  })
  if (others.length === 0) return unpushed
  const call: GitCall = { cwd: workTree.path, mark, env: (await shelf.frozen()).env }
  return [...unpushed, ...(await keepUncopied(workTree, others, ref, keeping, call))]
}

const linkedCommit = (entry: Entry | null): string | null => (entry !== null && isGitlink(entry) ? entry.object : null)

/** Whether a remote branch or a tag contains the commit, as of the last fetch. */
async function isPushed(commit: string, call: GitCall): Promise<boolean> {
  const args = ['rev-list', '--max-count=1', commit, '--not', '--remotes', '--tags', '--']
  const { exitCode, stdout } = await tryGit(args, call)
  return exitCode === 0 && stdout.trim() === ''
}

/** Paths of submodules for which the change names commits that contain a secret. */
export async function leakingSubmodules(
  workTree: WorkTree,
  shelf: Shelf,
  changes: readonly Change[],
  keeping: Pick<Keeping, 'isClean'>,
  mark: string,
): Promise<string[]> {
  const leaking: string[] = []
  for (const { path, workTree: inner, from, commit } of await movedSubmodules(workTree, shelf, changes, mark)) {
    const call: GitCall = { cwd: workTree.path, mark, env: inner.env }
    if ((await scanCommits(inner, from, commit, keeping, call)) === 'secret') leaking.push(path)
  }
  return leaking
}

async function movedSubmodules(workTree: WorkTree, shelf: Shelf, changes: readonly Change[], mark: string) {
  const moved = new Map(
    changes.flatMap(({ path, from, to }) => {
      const commit = linkedCommit(to)
      return commit === null ? [] : [[path, { from: linkedCommit(from), commit }]]
    }),
  )
  if (moved.size === 0) return []
  return (await submodulesOf(workTree, shelf, mark)).flatMap((submodule) => {
    const change = moved.get(submodule.path)
    return change ? [{ ...submodule, ...change }] : []
  })
}

/** Copies a commit of the agent into the checkout's copy unless it is already there; false on failure. */
export async function bringCommit(inner: WorkTree, commit: string, call: GitCall): Promise<boolean> {
  if ((await tryGit(['cat-file', '-e', `${commit}^{tree}`], call)).exitCode === 0) return true
  const known = (await tryGit(['rev-parse', '--all'], call)).stdout.split('\n').filter((line) => line !== '')
  return (await bringCommits(inner.gitDir, [commit], known, call)).length > 0
}
