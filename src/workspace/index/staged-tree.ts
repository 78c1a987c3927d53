/**
 * The tree of what is staged, and its changes, without starting git. This is only an optimization: null means that the
 * caller must ask git.
 */
import { replaceFile, type WorkTree } from '../clones/work-tree.ts'
import type { Change, Entry } from '../git/change.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import type { Difference } from '../git/quick-trees.ts'
import { encodeIndexFile, hasAttributes, isAttributes, readIndexFile } from './index-file.ts'
import type { Staging } from './stage-files.ts'

/** Larger files are counted by git. */
const mostBytes = 256 * 1024
/** Git looks for a zero byte in the beginning of a file, to know whether it is binary. */
const binaryBytes = 8_000

export interface StagedTree {
  tree: string
  /** Attributes may say that a file is binary, so git counts its lines. */
  hasAttributes: boolean
}

/**
 * Writes the tree, and records it in the index, as `git write-tree` does. `staging` is an index that is not written.
 */
export function writeStagedTree(
  workTree: WorkTree,
  like: string,
  quick: QuickObjects,
  staging?: Staging,
): StagedTree | null {
  const index = staging?.index ?? readIndexFile(workTree.index, like)
  if (index === null) return null
  const known = index.trees.get('')
  if (known !== undefined) return { tree: known, hasAttributes: hasAttributes(index) }
  const files = [...index.entries].map(([path, { mode, object }]): [string, Entry] => [
    path,
    { mode: mode.toString(8), object },
  ])
  const tree = quick.writeTrees(files, index.trees, like)
  if (tree === null) return null
  // Files that changed after they were staged must not look older than the index.
  replaceFile(workTree.index, encodeIndexFile(index, like), staging?.atMs ?? Number(index.writtenNs / 1_000_000n))
  return { tree, hasAttributes: hasAttributes(index) }
}

/** The changes between two trees with their numbers of lines, where files were only added or removed. */
export function changesQuickly(from: string, to: string, quick: QuickObjects): Change[] | null {
  const found = quick.writesAsStored ? quick.compare(from, to) : null
  if (found === null) return null
  const changes = found.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((difference) => changeOf(difference, quick))
  return changes.every((change) => change !== null) ? changes : null
}

function changeOf({ path, from, to }: Difference, quick: QuickObjects): Change | null {
  const entry = from ?? to
  // Only git finds the lines that two versions share.
  if (entry === null || (from && to) || entry.mode === '160000' || isAttributes(path)) return null
  const content = quick.blob(entry.object, mostBytes)
  if (content === null) return null
  const lines = linesOf(content)
  const counts = { insertions: to ? lines : 0, deletions: to ? 0 : lines }
  return { path: Buffer.from(path, 'latin1').toString(), from, to, ...counts }
}

function linesOf(content: Buffer): number {
  if (content.subarray(0, binaryBytes).includes(0)) return 0
  let lines = content.length > 0 && content.at(-1) !== 10 ? 1 : 0
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1
  return lines
}
