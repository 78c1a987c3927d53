/**
 * Recognizes a work tree in which nothing changed since its last snapshot, without starting git. This is only an
 * optimization: null means that the caller must ask git.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Change } from '../git/change.ts'
import { openLooseObjects } from '../git/loose-objects.ts'
import { isExcluded } from '../clones/excludes.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { areUnchanged, findOthers, fingerprint, folderPrint } from './compare-files.ts'
import type { Others, StagedSnapshot } from './staged-snapshot.ts'
import { readIndexFile, type IndexFile } from './index-file.ts'
import { commonDirOf, ownRules } from './own-rules.ts'

/**
 * Lists the files beside the index before git stages them: one that is new afterwards must not count as ignored. Null
 * when there are too many.
 */
export function observeOthers(workTree: WorkTree, like: string): Pick<StagedSnapshot, 'others' | 'rules'> | null {
  const index = readIndexFile(workTree.index, like)
  const others = index && othersIn(workTree, index)
  return others && { others, rules: rulesOf(workTree) }
}

/** The tree of the files and its changes since `base`, a tree or commit; null when the caller must ask git. */
export function recognize(
  workTree: WorkTree,
  base: { id: string; tree?: string | undefined },
): Pick<StagedSnapshot, 'tree' | 'changes'> | null {
  const { seen } = workTree
  const like = base.tree ?? seen?.tree ?? base.id
  const index = readIndexFile(workTree.index, like)
  const tree = index?.trees.get('')
  if (!index || tree === undefined) return null
  const isBase = tree === base.tree || tree === base.id
  const changes = isBase ? [] : seen?.base === base.id && seen.tree === tree ? seen.changes : null
  // Listing folders takes less time than looking at every file.
  const others = changes === null ? null : othersIn(workTree, index)
  if (changes === null || others === null) return null
  const isAllKnown = others.size === 0 || (seen?.tree === tree && areKnown(workTree, index, others, seen))
  if (!isAllKnown || !isUnchanged(workTree, index)) return null
  return isBase || areStored(workTree, tree, changes) ? { tree, changes } : null
}

/**
 * Whether git ignored the same files when it staged this same tree. A file that was staged for another tree is not
 * ignored, and one that is gone may have been a `.gitignore`.
 */
function areKnown(workTree: WorkTree, index: IndexFile, others: Others, seen: StagedSnapshot): boolean {
  const isSame = [...others].every(([path, print]) => seen.others.get(path) === print)
  const isThere = ([path, print]: [string, string]): boolean =>
    print === folderPrint || others.has(path) || index.entries.has(path)
  return isSame && [...seen.others].every(isThere) && seen.rules === rulesOf(workTree)
}

/** Nothing else refers to these objects, so git may have removed them since. */
function areStored(workTree: WorkTree, tree: string, changes: readonly Change[]): boolean {
  const { has } = openLooseObjects(join(commonDirOf(workTree), 'objects'))
  return has(tree) && changes.every(({ to }) => to === null || has(to.object))
}

/** False also for a file that cannot be read. */
function isUnchanged({ path }: WorkTree, index: IndexFile): boolean {
  try {
    return areUnchanged(path, index)
  } catch {
    return false
  }
}

function othersIn(workTree: WorkTree, index: IndexFile): Others | null {
  try {
    return findOthers(workTree.path, index, (path) =>
      isExcluded(Buffer.from(path, 'latin1').toString(), workTree.foreign),
    )
  } catch {
    return null
  }
}

/** The ignore rules and the configuration that git reads from outside the work tree. It follows links to them. */
const rulesOf = (workTree: WorkTree): string =>
  [...ownRules(workTree), join(commonDirOf(workTree), 'config')]
    .map((path) => fingerprint(existsSync(path) ? realpathSync(path) : path))
    .join(' ')
