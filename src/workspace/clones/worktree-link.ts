/**
 * Finds the git directories of a checkout, and removes links to work trees under `.looper` that earlier versions of
 * Looper created.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ifExists, readNow } from '../../platform/files.ts'
import { removeTree } from './remove-tree.ts'

export interface GitDirs {
  /** The directory of this checkout only: HEAD, index. */
  gitDir: string
  /** Shared by all work trees: objects, refs, configuration. */
  commonDir: string
}

export function gitDirsOf(root: string): GitDirs {
  const found = join(root, '.git')
  const gitDir = statSync(found).isDirectory()
    ? found
    : resolve(
        root,
        readFileSync(found, 'utf8')
          .replace(/^gitdir: /, '')
          .trim(),
      )
  const pointer = join(gitDir, 'commondir')
  return { gitDir, commonDir: existsSync(pointer) ? resolve(gitDir, readFileSync(pointer, 'utf8').trim()) : gitDir }
}

/** A killed `worktree add` can leave an empty file that makes git fail in the whole repository. */
export async function forgetHalfMade(commonDir: string, folder: string): Promise<void> {
  for (const gitDir of linkedUnder(commonDir, inside(folder))) {
    if (readNow(join(gitDir, 'commondir'))?.length === 0) await removeTree(gitDir)
  }
}

/** Removes the work trees in the folder and their records in the repository. Others are not touched. */
export async function forgetWorktrees(commonDir: string, folder: string): Promise<void> {
  for (const gitDir of linkedUnder(commonDir, inside(folder))) await removeTree(gitDir)
  if (existsSync(folder)) await removeTree(folder)
}

const inside =
  (folder: string) =>
  (tree: string): boolean =>
    tree === folder || tree.startsWith(`${folder}/`)

function linkedUnder(commonDir: string, matches: (tree: string) => boolean): string[] {
  const folder = join(commonDir, 'worktrees')
  const names = ifExists(() => readdirSync(folder), folder) ?? []
  const found: string[] = []
  for (const name of names) {
    const gitDir = join(folder, name)
    const tree = treeOfLink(gitDir)
    if (tree !== null && matches(tree)) found.push(gitDir)
  }
  return found
}

/** The path of the work tree that belongs to this git directory. */
function treeOfLink(gitDir: string): string | null {
  const pointer = readNow(join(gitDir, 'gitdir'))
  return pointer && dirname(resolve(gitDir, pointer.toString('utf8').trim()))
}
