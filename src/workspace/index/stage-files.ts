/**
 * Stages the files of a work tree in Looper's index without starting git, where few files differ and nothing about them
 * is unusual. This is only an optimization: null means that git must do it.
 */
import { lstatSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { readNow } from '../../platform/files.ts'
import { readPlainBytes } from '../../platform/plain-file.ts'
import { isIgnoreFile } from '../clones/agent-index.ts'
import { isExcluded } from '../clones/excludes.ts'
import { coarseMs } from '../clones/manifest.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import { encodeStat, findDifferent, findOthers, folderPrint } from './compare-files.ts'
import { mayBeIgnored, nameRules } from './ignore-rules.ts'
import { hasAttributes, isAttributes, readIndexFile, type IndexFile } from './index-file.ts'
import { ownRules } from './own-rules.ts'
import { isPlainPath, parentsOf } from './plain-path.ts'

/** More content than this is left to git. */
const most = { files: 50, bytes: 1024 * 1024 }

export interface Staging {
  /** The index with all files staged. It is not written yet. */
  index: IndexFile
  /** The time that the index gets: files that changed later are compared by content. */
  atMs: number
}

export function stageQuickly(workTree: WorkTree, like: string, quick: QuickObjects): Staging | null {
  const atMs = Date.now() - coarseMs
  try {
    const index = quick.stagesAsFound ? readIndexFile(workTree.index, like) : null
    return index && stageAll(workTree, index, like, quick) ? { index, atMs } : null
  } catch {
    // Git reports what is wrong with the file.
    return null
  }
}

function stageAll(workTree: WorkTree, index: IndexFile, like: string, quick: QuickObjects): boolean {
  if (hasAttributes(index)) return false
  const added = newFiles(workTree, index)
  const changed = added && findDifferent(workTree.path, index, most.files)
  if (added === null || changed === null) return false
  const paths = [...added, ...changed]
  if (paths.length > most.files || paths.some(isUnusual)) return false
  let room = most.bytes
  for (const path of paths) {
    const found = lstatSync(join(workTree.path, path), { bigint: true, throwIfNoEntry: false })
    if (found === undefined) index.entries.delete(path)
    else if (!found.isFile() || found.size > BigInt(room)) return false
    else if (!stage(workTree.path, path, found, index, like, quick)) return false
    room -= Number(found?.size ?? 0)
    for (const folder of parentsOf(path)) index.trees.delete(folder)
  }
  return true
}

function stage(
  root: string,
  path: string,
  found: BigIntStats,
  index: IndexFile,
  like: string,
  quick: QuickObjects,
): boolean {
  const content = readPlainBytes(join(root, path), most.bytes)
  const object = content && quick.writeBlob(content, like)
  if (object === null) return false
  const mode = (found.mode & 0o100n) === 0n ? 0o100644 : 0o100755
  index.entries.set(path, { mode, object, stat: encodeStat(found, mode) })
  return true
}

/** Rules and attributes change what git does with other files. */
const isUnusual = (path: string): boolean => !isPlainPath(path) || isIgnoreFile(path) || isAttributes(path)

/** Files that the index does not have; null when a rule may ignore one of them, or there are too many. */
function newFiles(workTree: WorkTree, index: IndexFile): string[] | null {
  const others = findOthers(workTree.path, index, (path) =>
    isExcluded(Buffer.from(path, 'latin1').toString(), workTree.foreign),
  )
  if (others === null) return null
  const paths = [...others].filter(([, print]) => print !== folderPrint).map(([path]) => path)
  if (paths.length > most.files) return null
  const rules = paths.length === 0 ? [] : rulesFor(workTree, index)
  return paths.some((path) => mayBeIgnored(path, rules)) ? null : paths
}

function rulesFor(workTree: WorkTree, { entries }: IndexFile): RegExp[] {
  const inTree = [...entries.keys()].filter(isIgnoreFile).map((path) => join(workTree.path, path))
  return [...ownRules(workTree), ...inTree].flatMap((file) => nameRules(readNow(file)?.toString('utf8') ?? ''))
}
