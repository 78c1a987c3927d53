/** One scratch work tree: made, found again, put back, whatever was done to it meanwhile. */
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { lstat, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { whenExists } from '../platform/files.ts'
import { git, gitError, tryGitScript } from './git.ts'
import type { InTurn } from '../platform/in-turn.ts'
import { dropIndexLock, publishIndex, type Place } from './place.ts'
import { readStamp } from './provision.ts'
import { removeTree } from './remove-tree.ts'
import { stageAll, takeSnapshot } from './snapshot.ts'
import { clearLeftovers, findLinked, forgetWorktrees, healGitDir, healLink, relink } from './worktree-link.ts'

export interface Shelf {
  root: string
  commonDir: string
  /** Where this run's work trees are. */
  folder: string
  serially: InTurn
  /** Never part of a change in any of them. */
  own: readonly string[]
}

/** Files about a work tree lie beside it, not in it. */
export const besides = (folder: string, name: string) => ({
  path: join(folder, name),
  index: join(folder, '.state', `${name}.index`),
  excludes: join(folder, '.state', `${name}.exclude`),
  stamp: join(folder, '.state', `${name}.setup`),
  aside: join(folder, '.state', `${name}.aside`),
})

/** Finds the work tree, mending its link; null when it is not there or was never finished. */
export async function findWorktree(shelf: Shelf, name: string, mark: string, commit: () => Promise<string>): Promise<Place | null> {
  const { path, index, excludes, stamp, aside } = besides(shelf.folder, name)
  // Where an agent put a link instead, everything would happen at the other end of it.
  if (!existsSync(path) || realpathSync(path) !== path || readdirSync(path).length === 0) return null
  const known = findLinked(shelf.commonDir, path)
  if (known === null) {
    const onto = await commit()
    await shelf.serially(() => relink(shelf.root, path, aside, onto, mark))
  }
  const gitDir = known ?? linked(shelf, path)
  await healGitDir(shelf.commonDir, gitDir, commit)
  await healLink(path, gitDir)
  mkdirSync(dirname(index), { recursive: true })
  const foreign = [...new Set([...shelf.own, ...readStamp(stamp)?.foreign ?? []])]
  const place: Place = { path, gitDir, index, excludes, foreign, usualIndex: null }
  if (known === null && existsSync(index)) publishIndex(place)
  return place
}

function linked(shelf: Shelf, path: string): string {
  const gitDir = findLinked(shelf.commonDir, path)
  if (gitDir === null) throw new LooperError('WORKSPACE_GIT', `git does not know the work tree ${path}.`)
  return gitDir
}

/** Makes it anew at `commit`, over whatever is left of an earlier one. Only the links are made one by one, the files of several at once. */
export async function makeWorktree(shelf: Shelf, name: string, commit: string, mark: string): Promise<Place> {
  const { path, index, excludes, stamp } = besides(shelf.folder, name)
  await shelf.serially(async () => {
    if ((await whenExists(lstat(shelf.folder), shelf.folder))?.isSymbolicLink()) await removeTree(shelf.folder)
    await forgetWorktrees(shelf.commonDir, path)
    await mkdir(dirname(index), { recursive: true })
    for (const file of [index, excludes, stamp]) await rm(file, { force: true })
    const args = ['worktree', 'add', '--quiet', '--detach', '--no-checkout', path, commit]
    await git(args, { cwd: shelf.root, mark }).catch(async (error: unknown) => {
      await forgetWorktrees(shelf.commonDir, path)
      throw error
    })
  })
  const place: Place = { path, gitDir: linked(shelf, path), index, excludes, foreign: [...shelf.own], usualIndex: null }
  await resetWorktree(place, commit, mark)
  return place
}

/** Everything as at `commit`; ignored files and what Looper brought stay. Ends merges and rebases that were under way. */
export async function resetWorktree(place: Place, commit: string, mark: string): Promise<void> {
  await clearLeftovers(place.gitDir)
  dropIndexLock(place)
  const result = await tryGitScript(resetScript, [commit], { place, mark })
  if (result.exitCode !== 0) throw gitError(['checkout'], result)
  publishIndex(place)
}

const resetScript = 'git checkout --quiet --force --detach "$1" && exec git clean -ffdq'

/** The files become those of `tree`, whatever they were. */
export async function moveTo(place: Place, tree: string, mark: string): Promise<void> {
  dropIndexLock(place)
  await stageAll(place, true, mark)
  await git(['read-tree', '--reset', '-u', tree], { place, mark })
}

/** Puts the files back to `tree`; returns the paths that differed. */
export async function restoreTree(place: Place, tree: string, mark: string): Promise<string[]> {
  const { changes } = await takeSnapshot(place, { id: tree }, 'content', mark)
  if (changes.length === 0) return []
  await git(['read-tree', '--reset', '-u', tree], { place, mark })
  await git(['clean', '-ffdq'], { place, mark })
  return changes.map(({ path }) => path)
}
