/** Moves the files, the index and the branch of the user's checkout to another commit, all or nothing. */
import { existsSync } from 'node:fs'
import { lstat, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { whenExists } from '../../platform/files.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Change } from '../git/change.ts'
import { git, gitError, tryGit, type GitCall } from '../git/git.ts'
import { naming } from './apply-commits.ts'
import { findFinished, stageFinished, withoutFinished, type FinishedFiles } from './finished-files.ts'

const underWay = ['MERGE_HEAD', 'rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

export function refuseHalfway(gitDir: string): void {
  const halfway = underWay.find((name) => existsSync(join(gitDir, name)))
  if (halfway === undefined) return
  throw new LooperError('WORKSPACE_APPLY', `Your checkout is in the middle of another operation (${halfway}).`, {
    hint: 'Finish or abort it (`git status` shows how), then try again.',
  })
}

/**
 * Uncommitted changes are kept, unless the run touched the same files. Returns those of the same files that have the
 * result already.
 */
export async function refuseOverlap(
  root: string,
  changes: readonly Change[],
  run: string,
  call: GitCall,
): Promise<FinishedFiles> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=untracked',
  ]
  const listed = await git(args, call)
  const states = new Map(listed.split('\0').map((entry) => [entry.slice(3), entry.slice(0, 2)]))
  const existing: string[] = []
  const untracked = new Set<string>()
  for (const { path, from } of changes) {
    const found = await whenExists(lstat(join(root, path)), path)
    if (!found) continue
    existing.push(path)
    // The index does not have it either, otherwise it would be modified.
    if (from === null && !found.isDirectory()) untracked.add(path)
  }
  const ignored = new Set(await findIgnored(existing, call))
  const inTheWay = changes.filter(({ path }) => states.has(path) || untracked.has(path) || ignored.has(path))
  const finished = await findFinished(root, inTheWay, states, call)
  const lost = withoutFinished(inTheWay, finished)
  if (lost.length > 0) {
    throw overwritten(
      lost.map(({ path }) => path),
      run,
    )
  }
  return finished
}

/** Git overwrites ignored files, but an ignored file may be the user's only copy. */
async function findIgnored(paths: readonly string[], call: GitCall): Promise<string[]> {
  if (paths.length === 0) return []
  const { stdout } = await tryGit(['check-ignore', '-z', '--stdin'], { ...call, input: paths.join('\0') + '\0' })
  return stdout.split('\0').filter((path) => path !== '')
}

const overwritten = (paths: readonly string[], run: string): LooperError =>
  new LooperError(
    'WORKSPACE_APPLY',
    `Your uncommitted files would be overwritten: ${naming(paths)}. Nothing was changed.`,
    { hint: `Commit, stash or move them, then run \`looper apply ${plain(run)}\`.`, details: { paths } },
  )

interface Move {
  from: string
  to: string
  run: string
  changes: readonly Change[]
  finished: FinishedFiles
}

/** Updates the files and the index, which git does all or nothing. HEAD stays. */
export async function moveFiles({ from, to, run, finished }: Move, call: GitCall): Promise<void> {
  // Where the index has the result already, git does not touch the file.
  await stageFinished(finished, 'to', call)
  await tryGit(['update-index', '-q', '--refresh'], call)
  const args = ['read-tree', '-m', '-u', from, to]
  const updated = await tryGit(args, call)
  if (updated.exitCode === 0) return
  await stageFinished(finished, 'from', call)
  const { message } = gitError(args, updated)
  throw new LooperError(
    'WORKSPACE_APPLY',
    `Your checkout cannot take the run: ${message.replace(/[.\s]+$/, '')}. Nothing was changed.`,
    { hint: `Commit, stash or move the files in the way, then run \`looper apply ${plain(run)}\`.` },
  )
}

export async function moveHead(from: string, to: string, run: string, call: GitCall): Promise<void> {
  const lines = [`update HEAD ${to} ${from}`, `update ORIG_HEAD ${from}`]
  await git(['update-ref', '-m', `looper apply: ${plain(run)}`, '--stdin'], { ...call, input: lines.join('\n') + '\n' })
}

/** Undoes `moveFiles` while HEAD is still at the old commit, also where a hook changed these files. */
export async function restoreFiles(root: string, { changes, finished }: Move, call: GitCall): Promise<void> {
  await restoreMoved(root, withoutFinished(changes, finished), call)
  await stageFinished(finished, 'from', call)
}

async function restoreMoved(root: string, changes: readonly Change[], call: GitCall): Promise<void> {
  // Without a path, git would reset the whole index.
  if (changes.length === 0) return
  const literally = { ...call, env: { ...call.env, GIT_LITERAL_PATHSPECS: '1' } }
  const listed = (paths: readonly Change[]): string => paths.map(({ path }) => `${path}\0`).join('')
  await git(['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...literally,
    input: listed(changes),
  })
  for (const { path } of changes.filter(({ from }) => from === null)) {
    await rm(join(root, path), { recursive: true, force: true })
    await removeEmpty(root, dirname(path))
  }
  const earlier = changes.filter(({ from }) => from !== null)
  if (earlier.length > 0)
    await git(['checkout-index', '--force', '-u', '-z', '--stdin'], { ...call, input: listed(earlier) })
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  if (folder === '.') return
  const isGone = await rmdir(join(root, folder)).then(
    () => true,
    () => false,
  )
  if (isGone) await removeEmpty(root, dirname(folder))
}
