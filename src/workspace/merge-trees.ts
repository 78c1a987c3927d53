/** Merges two commits, as trees only. */
import { LooperError } from '../model/error.ts'
import { gitError, tryGit, type GitCall } from './git.ts'

export interface Merged {
  /** In conflict: both sides with what they had in common, between markers where there is text. */
  tree: string
  clean: boolean
  /** Files in conflict; git does not always name them. */
  conflicts: string[]
}

/** Merges two commits without a work tree. */
export async function mergeTrees(ours: string, theirs: string, call: GitCall): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs]
  const result = await tryGit(args, { ...call, config: ['merge.conflictStyle=zdiff3'] })
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  const [tree, ...conflicts] = result.stdout.split('\0').filter((token) => token !== '')
  if (tree === undefined) throw new LooperError('WORKSPACE_GIT', 'git merge-tree: no answer')
  return { tree, clean: result.exitCode === 0, conflicts }
}
