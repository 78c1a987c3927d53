/**
 * Reverts a landed commit on the newest run branch. Later changes stay; if they build on that commit, the result is a
 * conflict.
 */
import { LooperError } from '../../model/error.ts'
import type { IntegrateWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import { makeCommit, revertMessageOf } from './commit.ts'
import { git, gitError, tryGit, type GitCall } from '../git/git.ts'
import type { Integration, Result } from './integration.ts'
import { mergeTrees } from '../git/merge-trees.ts'

export async function revert(
  work: IntegrateWork,
  commit: string,
  integration: Integration,
  mark: string,
): Promise<Result> {
  const { run, refs, landings, trees, own: call } = integration
  const tip = await refs.movableTip(mark)
  const landed = await landings.find(work.id, tip.commit)
  if (landed !== null || !(await contains(tip.commit, commit, call))) return { status: 'landed', commit: landed }
  const { tree: before, subject } = await readParent(commit, call)
  // Its parent is the commit itself, which makes that commit the merge base.
  const without = await makeCommit({ tree: before, parents: [commit], message: 'Without it\n' }, call)
  const merged = await mergeTrees(tip.commit, without, call)
  if (merged.tree === tip.tree) return { status: 'landed', commit: null }
  if (!merged.clean) return { status: 'conflict', onto: tip.commit, files: merged.conflicts, tree: merged.tree }
  const message = revertMessageOf(run, work, { commit, subject })
  const made = await makeCommit({ tree: merged.tree, parents: [tip.commit], message }, call)
  trees.set(made, merged.tree)
  return { status: 'merged', commit: made, tree: merged.tree, onto: tip.commit }
}

async function contains(tip: string, commit: string, call: GitCall): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, tip]
  const result = await tryGit(args, call)
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  return result.exitCode === 0
}

async function readParent(commit: string, call: GitCall): Promise<{ tree: string; subject: string }> {
  const listed = await git(['log', '-2', '--first-parent', '--no-show-signature', '--format=%T %s', commit, '--'], call)
  const [own = '', parent] = listed.split('\n')
  if (parent === undefined)
    throw new LooperError('WORKSPACE_GIT', `${plain(commit)} has nothing before it to go back to.`)
  return { tree: parent.split(' ')[0] ?? '', subject: own.slice(own.indexOf(' ') + 1) }
}
