/** Reads HEAD of the user's checkout, where possible without starting git. */
import { join } from 'node:path'
import { git } from '../git/git.ts'
import { readLine, readLooseRef } from '../git/loose-ref.ts'
import { openQuickObjects } from '../git/quick-objects.ts'
import { gitDirsOf } from '../clones/worktree-link.ts'
import type { Tip } from './run-refs.ts'

export async function readHead(root: string, mark: string): Promise<Tip> {
  const [commit = '', tree = ''] = (await git(['rev-parse', 'HEAD', 'HEAD^{tree}'], { cwd: root, mark })).split('\n')
  return { commit, tree }
}

export interface HeadReader {
  read(mark: string): Promise<Tip>
  /** The tree of a commit that was read before. */
  treeOf(commit: string): string | undefined
}

export function createHeadReader(root: string): HeadReader {
  const { gitDir, commonDir } = gitDirsOf(root)
  const objects = openQuickObjects(commonDir, null)
  const trees = new Map<string, string>()
  /** Null when only git can resolve it: the branch is packed, or refs are stored in another way. */
  const quickly = (): string | null => {
    const text = readLine(join(gitDir, 'HEAD')) ?? ''
    const branch = /^ref: (refs\/heads\/\S+)$/.exec(text)?.[1]
    if (branch === undefined) return /^[0-9a-f]{40,64}$/.test(text) ? text : null
    return branch.split('/').includes('..') ? null : readLooseRef(commonDir, branch)
  }
  return {
    treeOf: (commit) => trees.get(commit),
    async read(mark) {
      const commit = quickly()
      const tree = commit === null ? null : (trees.get(commit) ?? objects.treeOf(commit))
      const tip = commit !== null && tree !== null ? { commit, tree } : await readHead(root, mark)
      trees.set(tip.commit, tip.tree)
      return tip
    },
  }
}
