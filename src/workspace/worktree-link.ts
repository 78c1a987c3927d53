/**
 * The link between a linked work tree and its repository, kept by hand where git would touch too much (`worktree prune`
 * forgets everybody's) or too little (a killed `worktree add`, a `.git` file that an agent deleted).
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ifExists, readNow } from '../platform/files.ts'
import { git } from './git.ts'
import { readLine } from './loose-ref.ts'
import { replaceFile } from './place.ts'
import { removeTree } from './remove-tree.ts'

export interface GitDirs {
  /** Of this checkout alone: HEAD, index. */
  gitDir: string
  /** Shared by all work trees: objects, refs, configuration. */
  commonDir: string
}

export function gitDirsOf(root: string): GitDirs {
  const found = join(root, '.git')
  const gitDir = statSync(found).isDirectory() ? found : resolve(root, readFileSync(found, 'utf8').replace(/^gitdir: /, '').trim())
  const pointer = join(gitDir, 'commondir')
  return { gitDir, commonDir: existsSync(pointer) ? resolve(gitDir, readFileSync(pointer, 'utf8').trim()) : gitDir }
}

/** The git directory of the linked work tree at `path`; null when the repository knows none. */
export function findLinked(commonDir: string, path: string): string | null {
  // Most often git has named it like the folder.
  const likely = join(commonDir, 'worktrees', basename(path))
  return treeOfLink(likely) === path ? likely : linkedUnder(commonDir, (tree) => tree === path)[0] ?? null
}

/** A `worktree add` that was killed can leave an empty file that makes git refuse to work in the whole repository. */
export async function forgetHalfMade(commonDir: string, folder: string): Promise<void> {
  for (const gitDir of linkedUnder(commonDir, inside(folder))) {
    if (readNow(join(gitDir, 'commondir'))?.length === 0) await removeTree(gitDir)
  }
}

/** Removes work trees and the repository's memory of them; others are left alone. */
export async function forgetWorktrees(commonDir: string, folder: string): Promise<void> {
  for (const gitDir of linkedUnder(commonDir, inside(folder))) await removeGitDir(gitDir)
  await removeTree(folder)
}

/** A few small files, which are gone at once. */
async function removeGitDir(gitDir: string): Promise<void> {
  try {
    rmSync(gitDir, { recursive: true, force: true })
  } catch {
    await removeTree(gitDir)
  }
}

/** Without its own `.git`, git in this folder would work on the checkout around it: the user's. */
export async function healLink(path: string, gitDir: string): Promise<void> {
  const file = join(path, '.git')
  const expected = `gitdir: ${gitDir}\n`
  const found = ifExists(() => lstatSync(file), file)
  if (found?.isFile() && resolve(path, readFileSync(file, 'utf8').replace(/^gitdir: /, '').trim()) === gitDir) return
  if (found && !found.isFile()) await removeTree(file)
  replaceFile(file, expected)
}

/** Puts right what git wants to find in a git directory: a power cut leaves these files empty, and an agent may do anything to them. */
export async function healGitDir(commonDir: string, gitDir: string, commit: () => Promise<string>): Promise<void> {
  const [common, head] = [join(gitDir, 'commondir'), join(gitDir, 'HEAD')]
  if (resolve(gitDir, readLine(common) ?? '') !== commonDir) replaceFile(common, '../..\n')
  if (!/^(ref: refs\/\S|[0-9a-f]{40})/.test(readLine(head) ?? '')) replaceFile(head, `${await commit()}\n`)
}

/** Gives a folder whose link was forgotten a new one, and leaves its files as they are. */
export async function relink(root: string, path: string, aside: string, commit: string, mark: string): Promise<void> {
  await removeTree(aside)
  await mkdir(dirname(aside), { recursive: true })
  await rename(path, aside)
  try {
    await git(['worktree', 'add', '--quiet', '--detach', '--no-checkout', path, commit], { cwd: root, mark })
    await removeTree(join(aside, '.git'))
    await rename(join(path, '.git'), join(aside, '.git'))
  } finally {
    await removeTree(path)
    await rename(aside, path)
  }
}

const leftovers = /\.lock$|^(MERGE_|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|SQUASH_MSG|BISECT_|rebase-|sequencer)/

/** What a killed git or an agent's half-way merge, rebase or bisect left in the git directory. */
export async function clearLeftovers(gitDir: string): Promise<void> {
  for (const name of readdirSync(gitDir)) {
    if (leftovers.test(name)) await rm(join(gitDir, name), { recursive: true, force: true })
  }
}

const inside = (folder: string) => (tree: string): boolean => tree === folder || tree.startsWith(`${folder}/`)

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

/** Where the work tree of this git directory is. */
function treeOfLink(gitDir: string): string | null {
  const pointer = readNow(join(gitDir, 'gitdir'))
  return pointer && dirname(resolve(gitDir, pointer.toString('utf8').trim()))
}
