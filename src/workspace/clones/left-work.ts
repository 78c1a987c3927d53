/** Saves an agent's work that has not landed under the run's own refs, before its work tree is reused. */
import { plain } from '../../views/text/plain-text.ts'
import { bringCommits, seeing } from './bring-commits.ts'
import { headOf, readRef } from './clone-git-dir.ts'
import { cleanVersion, type IsClean } from './clean-history.ts'
import { makeCommit } from '../landing/commit.ts'
import { leftSince, unreached } from './dropped-commits.ts'
import { tryGit, type GitCall } from '../git/git.ts'
import type { WorkTree } from './work-tree.ts'
import { attemptOf, listRefs, runRefFolder, type RunRefs } from '../landing/run-refs.ts'
import { safeName } from '../git/safe-name.ts'
import type { Lease } from './leases.ts'
import { takeSnapshot } from './snapshot.ts'

export interface Keeping {
  root: string
  run: string
  refs: RunRefs
  /** Whether a ref has this tree or Looper created it. */
  isKnown(tree: string): boolean
  /** The git call for the run's own git directory, with the identity for commits. */
  call(mark: string): Promise<GitCall>
  treeOf(commit: string, mark: string): Promise<string>
  /** Absent: there are no secrets to check for. */
  isClean?: IsClean | undefined
}

/** Saves the files and the commits of a work tree. Cheap when there is nothing new to save. */
export async function keepLeftWork(workTree: WorkTree, lease: Lease, keeping: Keeping, mark: string): Promise<void> {
  const made = await commitsMade(workTree, lease, keeping, mark)
  await keepFiles(workTree, lease, made, keeping, mark)
  await keepDropped(workTree, lease, keeping, mark)
}

async function keepFiles(
  workTree: WorkTree,
  lease: Lease,
  made: string | null,
  keeping: Keeping,
  mark: string,
): Promise<void> {
  const left = lease.settled ? null : await filesLeft(workTree, lease, made, keeping, mark)
  if (left === null) return made === null ? undefined : keep(made, lease, keeping, mark)
  if ((await listKept(lease, keeping, mark)).some(({ tree }) => tree === left)) return
  const message = leftMessage(lease, keeping.run)
  const call = await keeping.call(mark)
  await keep(await makeCommit({ tree: left, parents: [made ?? lease.head], message }, call), lease, keeping, mark)
}

/** Saves only the commits, before HEAD of the work tree moves. */
export async function keepCommits(workTree: WorkTree, lease: Lease, keeping: Keeping, mark: string): Promise<void> {
  const made = await commitsMade(workTree, lease, keeping, mark)
  if (made !== null) await keep(made, lease, keeping, mark)
  await keepDropped(workTree, lease, keeping, mark)
}

/** Saves dropped and stashed commits as one commit. Usually there are none, and git is not started. */
async function keepDropped(workTree: WorkTree, lease: Lease, keeping: Keeping, mark: string): Promise<void> {
  const stashed = readRef(workTree.gitDir, 'refs/stash')
  const all = [...(await leftSince(workTree, lease.logged)), ...(stashed === null ? [] : [stashed])]
  const left = all.filter((commit) => commit !== lease.head)
  if (left.length === 0) return
  const call = await keeping.call(mark)
  const found = await unreached(left, lease.head, runRefFolder(keeping.run), seeing(workTree.gitDir, call))
  const dropped = await bringCommits(workTree.gitDir, found, [lease.head], call)
  const [first, ...others] = dropped
  if (first === undefined) return
  const message = `What ${plain(lease.work, 60)} had committed and left\n\nLooper-Run: ${plain(keeping.run)}\n`
  const tree = await keeping.treeOf(first, mark)
  await keep(
    others.length === 0 ? first : await makeCommit({ tree, parents: dropped, message }, call),
    lease,
    keeping,
    mark,
    'dropped',
  )
}

/**
 * Copies the commit at HEAD into the repository. Null when Looper put it there, it is already saved, or git cannot read
 * it.
 */
async function commitsMade({ gitDir }: WorkTree, lease: Lease, keeping: Keeping, mark: string): Promise<string | null> {
  const commit = headOf(gitDir)
  if (commit === null || commit === lease.head) return null
  const call = await keeping.call(mark)
  const known = [`${runRefFolder(keeping.run)}/tip`, folderOf(keeping.run, lease)]
  const args = ['for-each-ref', '--count=1', `--contains=${commit}`, ...known]
  const { exitCode, stdout } = await tryGit(args, seeing(gitDir, call))
  if (exitCode !== 0 || stdout !== '') return null
  return (await bringCommits(gitDir, [commit], [lease.head], call))[0] ?? null
}

/** The tree of the files; null when it has nothing new. */
async function filesLeft(
  workTree: WorkTree,
  lease: Lease,
  made: string | null,
  keeping: Keeping,
  mark: string,
): Promise<string | null> {
  const base = await keeping.treeOf(lease.head, mark)
  const tree =
    lease.beneath ?? (await takeSnapshot(workTree, { id: lease.head, tree: base }, 'content', mark, 'left-out')).tree
  if (tree === base || keeping.isKnown(tree)) return null
  return made !== null && tree === (await keeping.treeOf(made, mark)) ? null : tree
}

/** `T003~2` is another workspace of the same task, so it shares the folder. */
const folderOf = (run: string, { workspace }: Lease): string =>
  `${runRefFolder(run)}/${safeName(workspace.replace(/~\d+$/, ''))}`

async function listKept(lease: Lease, { root, run }: Keeping, mark: string): Promise<{ name: string; tree: string }[]> {
  return [...(await listRefs([folderOf(run, lease)], { cwd: root, mark }))].map(([name, { tree }]) => ({ name, tree }))
}

/** Commits that contain a secret are not saved, because a ref would publish them. */
async function keep(made: string, lease: Lease, keeping: Keeping, mark: string, what = 'left'): Promise<void> {
  const commit = await cleaned(made, lease, keeping, mark)
  if (commit === null) return
  const names = new Set((await listKept(lease, keeping, mark)).map(({ name }) => name))
  const name = (n: number): string =>
    `${folderOf(keeping.run, lease)}/${attemptOf(lease.work)}-${what}${n === 1 ? '' : n}`
  let n = 1
  while (names.has(name(n))) n++
  await keeping.refs.move({ kept: [{ ref: name(n), commit }] }, mark)
}

async function cleaned(commit: string, lease: Lease, keeping: Keeping, mark: string): Promise<string | null> {
  const { isClean, run } = keeping
  if (isClean === undefined) return commit
  const message = leftMessage(lease, run)
  return cleanVersion({ commit, since: lease.head, message }, isClean, await keeping.call(mark))
}

const leftMessage = ({ work }: Lease, run: string): string =>
  `What was left of ${plain(work, 60)}\n\nLooper-Run: ${plain(run)}\n`
