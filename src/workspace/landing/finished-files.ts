/** Files of the checkout that have the result of the run already: an apply that was killed has moved them. */
import { lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenExists } from '../../platform/files.ts'
import { entryLines, type Change, type Entry } from '../git/change.ts'
import { git, tryGit, type GitCall } from '../git/git.ts'
import { isGitlink } from '../git/tree-changes.ts'

export interface FinishedFiles {
  /** The index has the result too. */
  staged: readonly Change[]
  /** The index is still as in HEAD. */
  unstaged: readonly Change[]
}

/** A file counts only when git sees no difference to the result, and the index has nothing else than HEAD or it. */
export async function findFinished(
  root: string,
  changes: readonly Change[],
  states: ReadonlyMap<string, string>,
  call: GitCall,
): Promise<FinishedFiles> {
  if (changes.length === 0) return { staged: [], unstaged: [] }
  const index = await readIndex(call)
  const has = (path: string, entry: Entry | null): boolean =>
    index.get(path) === (entry ? `${entry.mode} ${entry.object} 0` : undefined)
  const absent = new Set<string>()
  for (const { path, to } of changes) if (to === null && (await isAbsent(join(root, path)))) absent.add(path)
  // Git does not update the folder of a submodule.
  const staged = changes.filter(
    ({ path, to }) =>
      has(path, to) && (to === null ? absent.has(path) : isGitlink(to) || states.get(path)?.[1] === ' '),
  )
  const behind = changes.filter(({ path, from, to }) => has(path, from) && !isGitlink(from) && !isGitlink(to))
  const differing = await findDiffering(
    behind.filter(({ to }) => to !== null),
    call,
  )
  const unstaged = behind.filter(({ path, to }) => (to === null ? absent.has(path) : !differing.has(path)))
  return { staged, unstaged }
}

export function withoutFinished(changes: readonly Change[], { staged, unstaged }: FinishedFiles): Change[] {
  const finished = new Set([...staged, ...unstaged])
  return changes.filter((change) => !finished.has(change))
}

async function readIndex(call: GitCall): Promise<Map<string, string>> {
  const listed = await git(['ls-files', '--stage', '-z'], call)
  const lines = listed.split('\0').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]))
}

/** A folder in place of a deleted file belongs to the result or to the user; git leaves it alone. */
async function isAbsent(path: string): Promise<boolean> {
  const found = await whenExists(lstat(path), path)
  return found === null || found.isDirectory()
}

/** Compares the files with an index of their own, so that git applies its rules for line ends, modes and links. */
async function findDiffering(changes: readonly Change[], call: GitCall): Promise<Set<string>> {
  if (changes.length === 0) return new Set()
  const folder = await mkdtemp(join(tmpdir(), 'looper-apply-'))
  try {
    const apart = { ...call, env: { ...call.env, GIT_INDEX_FILE: join(folder, 'index') } }
    await git(['update-index', '-z', '--index-info'], { ...apart, input: entryLines(changes, 'to') })
    await tryGit(['update-index', '-q', '--refresh'], apart)
    return new Set((await git(['diff-files', '--name-only', '-z'], apart)).split('\0'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Sets the entries of the index without touching a file. Deletions come first: a folder may replace a file. */
export async function stageFinished({ unstaged }: FinishedFiles, side: 'from' | 'to', call: GitCall): Promise<void> {
  if (unstaged.length === 0) return
  const input = [true, false].map((gone) =>
    entryLines(
      unstaged.filter((change) => (change[side] === null) === gone),
      side,
    ),
  )
  await git(['update-index', '-z', '--index-info'], { ...call, input: input.join('') })
}
