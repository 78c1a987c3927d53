/** Finds and saves edits in submodules that are in no commit. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SubmoduleWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import { seeing } from './bring-commits.ts'
import { isHistoryClean, scanCommits } from './clean-history.ts'
import { headOf } from './clone-git-dir.ts'
import { makeCommit } from '../landing/commit.ts'
import { git, tryGit, type GitCall } from '../git/git.ts'
import type { Keeping } from './left-work.ts'
import type { WorkTree } from './work-tree.ts'
import { attemptOf, runRefFolder } from '../landing/run-refs.ts'
import { safeName } from '../git/safe-name.ts'
import type { Lease } from './leases.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Shelf } from './worktree.ts'
import { isRealFolder, submodulesOf, type Submodule } from './submodules.ts'
import { bringCommit } from './submodule-commits.ts'

/** Paths of submodules whose files differ from their checked-out commit. These edits are in no commit. */
export async function dirtySubmodules(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<string[]> {
  return (await editedSubmodules(workTree, shelf, lease, keeping, mark)).map(({ path }) => path)
}

/** Commits such edits to the checkout's copy of the submodule under the run's refs, unless they contain a secret. */
export async function keepSubmoduleEdits(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<SubmoduleWork[]> {
  const found: SubmoduleWork[] = []
  for (const edited of await editedSubmodules(workTree, shelf, lease, keeping, mark)) {
    found.push({ kind: 'edits', path: edited.path, kept: await keepEdits(edited, lease, keeping, mark) })
  }
  return found
}

/** The ref that keeps the edits; null when they are not kept. */
async function keepEdits(
  { path, tree, parent, workTree: inner }: Edited,
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

/** `parent`: the newest commit below the edits that contains no secret. */
type Edited = Submodule & { tree: string; parent: string }

async function editedSubmodules(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<Edited[]> {
  const edited: Edited[] = []
  for (const submodule of await submodulesOf(workTree, shelf, mark)) {
    const { path, workTree: inner, pinned } = submodule
    if (!isRealFolder(workTree.path, inner.path) || !existsSync(join(inner.path, '.git'))) continue
    const head = headOf(inner.gitDir) ?? pinned
    const call: GitCall = { cwd: workTree.path, mark, env: inner.env }
    const begun = await begunAt(path, lease, keeping, mark)
    const isScanned = head === begun || (await scanCommits(inner, begun, head, keeping, call)) === 'clean'
    const parent = isScanned ? head : begun
    if (parent === null || !(await bringCommit(inner, parent, call))) continue
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
