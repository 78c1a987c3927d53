/**
 * Ignored files are part of the tree if the agent's own index tracks them. It may have added them by force, or stopped
 * tracking them.
 */
import { join } from 'node:path'
import { tryGit } from '../git/git.ts'
import { isWholeIndex, readIndexFile } from '../index/index-file.ts'
import { isExcluded } from './excludes.ts'
import { recordUsualIndex, type WorkTree } from './work-tree.ts'

/** A file with ignore rules. */
export const isIgnoreFile = (path: string): boolean => /(?:^|\/)\.gitignore$/i.test(path)

/** What Looper's index tracks before it stages the files; null: only git can list them. Paths are decoded as latin1. */
export const trackedBefore = ({ index }: WorkTree, like: string): string[] | null => {
  const found = readIndexFile(index, like)
  return found && [...found.entries.keys()]
}

/**
 * If the agent changed its index, adds the ignored files that it added by force, and removes those that it stopped
 * tracking. `base` is the id of a tree or a commit.
 */
export async function stageIgnored(
  workTree: WorkTree,
  base: string,
  before: readonly string[] | null,
  mark: string,
): Promise<void> {
  const note = recordUsualIndex(workTree)
  if (note === null || note === workTree.usualIndex) return
  const usual = { ...workTree, index: join(workTree.gitDir, 'index') }
  const update = async (how: readonly string[], paths: readonly string[]): Promise<void> => {
    if (paths.length === 0) return
    await tryGit(['update-index', '-z', ...how, '--stdin'], { workTree, mark, input: paths.join('\0') + '\0' })
  }
  const tracked = await trackedIgnored(usual, mark)
  if (tracked !== null) {
    await update(['--add', '--remove'], tracked)
    await update(['--force-remove'], await findUntracked(workTree, usual, { base, before, tracked }, mark))
  }
  workTree.usualIndex = note
}

/** Ignored files that Looper's index tracks and the agent's does not. */
async function findUntracked(
  workTree: WorkTree,
  usual: WorkTree,
  { base, before, tracked }: { base: string; before: readonly string[] | null; tracked: readonly string[] },
  mark: string,
): Promise<string[]> {
  if (tracksAll(workTree, usual, base, before)) return []
  const own = (await trackedIgnored(workTree, mark)) ?? []
  const kept = new Set(tracked)
  const untracked = own.filter((path) => !kept.has(path))
  if (untracked.length === 0 || !isWholeIndex(usual.index)) return []
  // An index that has nothing of the base is not derived from it.
  const theirs = await tryGit(['ls-files', '-z'], { workTree: usual, mark })
  const ofBase = await tryGit(['ls-tree', '-r', '-z', '--name-only', base], { workTree, mark })
  const paths = new Set(split(theirs.stdout))
  return split(ofBase.stdout).some((path) => paths.has(path)) ? untracked : []
}

/**
 * Whether the agent's index has every file that Looper's had before and still has, without starting git. What was
 * staged since is not ignored.
 */
function tracksAll(workTree: WorkTree, usual: WorkTree, like: string, before: readonly string[] | null): boolean {
  const [own, theirs] = [workTree, usual].map(({ index }) => readIndexFile(index, like))
  if (!before || !own || !theirs) return false
  return before.every((path) => theirs.entries.has(path) || !own.entries.has(path))
}

/** Null when git cannot read the index. */
async function trackedIgnored(workTree: WorkTree, mark: string): Promise<string[] | null> {
  const listed = await tryGit(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'], { workTree, mark })
  return listed.exitCode === 0 ? split(listed.stdout).filter((path) => !isExcluded(path, workTree.foreign)) : null
}

const split = (listed: string): string[] => listed.split('\0').filter((path) => path !== '')
