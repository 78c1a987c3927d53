/** Commits the changes of a task on the user's current branch, and nothing else from their checkout. */
import { rm } from 'node:fs/promises'
import type { IntegrateOutcome, IntegrateWork } from '../../model/work.ts'
import { landingOf } from '../../model/work-id.ts'
import { listLandings, makeCommit, messageOf } from './commit.ts'
import type { CommitWording } from './commit-message.ts'
import { git, gitError, tryGit, type GitCall } from '../git/git.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { readHead } from './read-head.ts'
import type { Tip } from './run-refs.ts'
import { setEntries } from '../clones/snapshot.ts'
import { compareTrees } from '../git/tree-changes.ts'

interface Landing {
  root: string
  run: string
  wording: CommitWording
  work: IntegrateWork
  /** The checkout's tree when the task began and now, both including the user's untracked files. */
  start: string
  tree: string
  workTree: WorkTree
  scratchIndex: string
  identity: Record<string, string>
}

export async function commitOnHead(landing: Landing, mark: string): Promise<IntegrateOutcome> {
  const { root, run, wording, work, identity } = landing
  const call: GitCall = { cwd: root, mark, env: identity }
  const head = await readHead(root, mark)
  if (work.base !== null && head.commit !== work.base) {
    const landed = (await listLandings(`${work.base}..${head.commit}`, call)).get(landingOf(work.id))
    if (landed === head.commit) await followHead(`${landed}^`, landed, call)
    if (landed !== undefined) return { kind: 'integrate', status: 'landed', commit: landed }
  }
  const tree = await treeToCommit(landing, head, mark)
  if (tree === head.tree) {
    // The agent committed by itself: nothing is left to commit, but its commits have landed.
    const commit = work.base !== null && head.commit !== work.base ? head.commit : null
    return { kind: 'integrate', status: 'landed', commit }
  }
  const commit = await makeCommit({ tree, parents: [head.commit], message: messageOf(run, work, wording) }, call)
  const args = ['update-ref', '-m', `looper: ${run}`, 'HEAD', commit, head.commit]
  const moved = await tryGit(args, call)
  if (moved.exitCode !== 0) {
    if ((await readHead(root, mark)).commit === head.commit) throw gitError(args, moved)
    return { kind: 'integrate', status: 'moved' }
  }
  await followHead(head.commit, commit, call)
  return { kind: 'integrate', status: 'landed', commit }
}

/** HEAD plus the task's changes. Files that were untracked and are unchanged stay untracked. */
async function treeToCommit(
  { start, tree, workTree, scratchIndex }: Landing,
  head: Tip,
  mark: string,
): Promise<string> {
  if (start === head.tree) return tree
  const changes = await compareTrees(start, tree, { workTree, mark })
  if (changes.length === 0) return head.tree
  const scratch: WorkTree = { ...workTree, index: scratchIndex }
  await git(['read-tree', head.commit], { workTree: scratch, mark })
  await setEntries(scratch, changes, 'to', mark)
  const result = await git(['write-tree'], { workTree: scratch, mark })
  await rm(scratchIndex, { force: true })
  return result
}

/** Updates the user's index for the committed files. Other staged changes stay staged, and no file is touched. */
async function followHead(from: string, to: string, call: GitCall): Promise<void> {
  const followed = await tryGit(['read-tree', '-i', '-m', from, to], call)
  if (followed.exitCode !== 0) await git(['reset', '--quiet'], call)
}
