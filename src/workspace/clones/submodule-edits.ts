/** Finds and saves edits in submodules that are in no commit. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOutside, SubmoduleWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import { bringCommits, seeing } from './bring-commits.ts'
import { scanCommits } from './clean-history.ts'
import { headOf } from './clone-git-dir.ts'
import { makeCommit } from '../landing/commit.ts'
import { git, tryGit, tryGitScript, type GitCall } from '../git/git.ts'
import type { Keeping } from './left-work.ts'
import { dropIndexLock, type WorkTree } from './work-tree.ts'
import { attemptOf, runRefFolder } from '../landing/run-refs.ts'
import { safeName } from '../git/safe-name.ts'
import type { Lease } from './leases.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Shelf } from './worktree.ts'
import { hasFiles, isRealFolder, submodulesOf, type Submodule } from './submodules.ts'
import { bringCommit } from './submodule-commits.ts'
import { uncopiedSubmodules, type UncopiedSubmodule } from './uncopied-submodules.ts'

/** Submodules with edits that are in no commit, and those whose files no other workspace has. */
export async function submodulesOutside(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<LeftOutside[]> {
  const { edited, uncopied } = await findEdits(workTree, shelf, lease, keeping, mark)
  return [
    ...edited.map(({ path }): LeftOutside => ({ kind: 'submodule', path })),
    ...uncopied.map(({ path }): LeftOutside => ({ kind: 'not-fetched', path })),
  ]
}

/**
 * Commits such edits to the checkout's copy of the submodule, or else to the user's repository, under the run's refs,
 * unless they contain a secret.
 */
export async function keepSubmoduleEdits(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<SubmoduleWork[]> {
  const found: SubmoduleWork[] = []
  const { edited } = await findEdits(workTree, shelf, lease, keeping, mark)
  for (const one of edited) {
    const kept = await keepEdits(one, lease, keeping, mark)
    found.push({ kind: 'edits', path: one.path, kept, ...(one.isCopied ? {} : { noCopy: true }) })
  }
  return found
}

/** The ref that keeps the edits; null when they are not kept. */
async function keepEdits(
  { path, tree, parent, workTree: inner, isCopied }: Edited,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<string | null> {
  if (tree === null) return null
  const { cwd, env } = await keeping.call(mark)
  const call: GitCall = { cwd, mark, env: { ...env, ...inner.env } }
  const folder = `${runRefFolder(keeping.run)}/${safeName(lease.workspace)}`
  const listed = (await git(['for-each-ref', '--format=%(tree) %(refname)', folder], call)).split('\n')
  const known = listed.find((line) => line.startsWith(`${tree} `))
  if (known !== undefined) return known.slice(tree.length + 1)
  const subject = `What was left of ${plain(lease.work, 60)} in ${plain(path, 60)}`
  const message = `${subject}\n\nLooper-Run: ${plain(keeping.run)}\n`
  const parents = parent === null ? [] : [parent]
  const made = await makeCommit({ tree, parents, message }, seeing(inner.gitDir, call))
  if ((await scanCommits(inner, parent, made, keeping, call)) !== 'clean') return null
  if (!isCopied && (await bringCommits(inner.gitDir, [made], [], call)).length === 0) return null
  const ref = `${folder}/${attemptOf(lease.work)}-${isCopied ? 'left' : 'submodule-left'}-${made.slice(0, 12)}`
  await git(['update-ref', ref, made], call)
  return ref
}

interface Edited {
  path: string
  /** Null when Looper could not read all files. */
  tree: string | null
  /** The newest commit below the edits that contains no secret; null when only the files are kept. */
  parent: string | null
  workTree: WorkTree
  /** Whether the checkout has a copy of the submodule. */
  isCopied: boolean
}

async function findEdits(
  workTree: WorkTree,
  shelf: Shelf,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<{ edited: Edited[]; uncopied: UncopiedSubmodule[] }> {
  const [readable, edited]: [Submodule[], Edited[]] = [[], []]
  for (const one of await submodulesOf(workTree, shelf, mark)) {
    const found = await editsIn(workTree, one, lease, keeping, mark)
    if (found === null) continue
    readable.push(one)
    edited.push(...found)
  }
  const uncopied = await uncopiedSubmodules(workTree, { path: '', workTree }, readable, shelf, mark)
  for (const one of readable) uncopied.push(...(await uncopiedSubmodules(workTree, one, [], shelf, mark)))
  // Submodules inside these are appended.
  for (const one of uncopied) {
    edited.push(...(await editsInUncopied(one, mark)))
    uncopied.push(...(await uncopiedSubmodules(workTree, one, [], shelf, mark)))
  }
  return { edited, uncopied }
}

/** Null when the checkout's copy cannot have the commit below the edits. */
async function editsIn(
  { path: root }: WorkTree,
  { path, workTree: inner, pinned }: Submodule,
  lease: Lease,
  keeping: Keeping,
  mark: string,
): Promise<Edited[] | null> {
  const isThere = existsSync(join(inner.path, '.git')) || hasFiles(inner.path)
  if (!isRealFolder(root, inner.path) || !isThere) return []
  const head = headOf(inner.gitDir) ?? pinned
  const call: GitCall = { cwd: root, mark, env: inner.env }
  const begun = await begunAt(path, lease, keeping, mark)
  const isScanned = head === begun || (await scanCommits(inner, begun, head, keeping, call)) === 'clean'
  const parent = isScanned ? head : begun
  if (parent === null || !(await bringCommit(inner, parent, call))) return null
  const committed = await treeOf(head, seeing(inner.gitDir, call))
  const base = parent === head ? committed : await treeOf(parent, call)
  if (committed === null || base === null) return null
  const { tree } = await takeSnapshot(inner, { id: base }, 'content', mark, 'left-out')
  return tree === committed ? [] : [{ path, tree, parent, workTree: inner, isCopied: true }]
}

/** Without a readable commit, all files are edits. The objects are the agent's, so the time of git is limited. */
async function editsInUncopied({ path, pinned, workTree: inner }: UncopiedSubmodule, mark: string): Promise<Edited[]> {
  dropIndexLock(inner)
  const call = seeing(inner.gitDir, { workTree: inner, mark })
  const committed = await treeOf(headOf(inner.gitDir) ?? pinned, call)
  const { exitCode, stdout } = await tryGitScript(filesScript, [committed ?? '--empty'], call)
  const tree = exitCode === 0 ? stdout.trim() : null
  return tree === committed && tree !== null ? [] : [{ path, tree, parent: null, workTree: inner, isCopied: false }]
}

/** Fails when git refuses a file, or would record a nested repository without its files. */
const filesScript = `
links() { git ls-files --stage | grep -c ^160000; }
git read-tree "$1" || exit
before=$(links)
git add --all && [ "$(links)" = "$before" ] && exec git write-tree`

/** The commit of the submodule that the agent started from; null when the path was no submodule then. */
async function begunAt(path: string, { head }: Lease, keeping: Keeping, mark: string): Promise<string | null> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', `${head}:${path}`], await keeping.call(mark))
  return found.exitCode === 0 ? found.stdout.trim() : null
}

async function treeOf(commit: string, call: GitCall): Promise<string | null> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], call)
  return found.exitCode === 0 ? found.stdout.trim() : null
}
