/** Merges commits without a work tree. */
import { LooperError } from '../../model/error.ts'
import { gitError, tryGit, type GitCall } from './git.ts'

export interface Merged {
  /** On a conflict, text files contain both sides and their common base between markers. */
  tree: string
  clean: boolean
  /** Files in conflict. Git does not always name them. */
  conflicts: string[]
  /** The version of each file in conflict: 1 is the common base, 2 is ours, 3 is theirs. */
  stages: Stage[]
}

export interface Stage {
  path: string
  side: '1' | '2' | '3'
  object: string
}

export async function mergeTrees(ours: string, theirs: string, call: GitCall): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs]
  const result = await tryGit(args, { ...call, config: ['merge.conflictStyle=zdiff3'] })
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  const [tree, ...entries] = result.stdout.split('\0').filter((token) => token !== '')
  if (tree === undefined) throw new LooperError('WORKSPACE_GIT', 'git merge-tree: no answer')
  const stages = entries.flatMap((entry) => stageOf(entry) ?? [])
  return { tree, clean: result.exitCode === 0, conflicts: [...new Set(stages.map(({ path }) => path))], stages }
}

function stageOf(entry: string): Stage | null {
  const [, object = '', side, path = ''] = /^\d+ ([0-9a-f]+) ([123])\t([^]+)$/.exec(entry) ?? []
  return side === '1' || side === '2' || side === '3' ? { path, side, object } : null
}
