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

const underWay = ['MERGE_HEAD', 'rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

export function refuseHalfway(gitDir: string): void {
  const halfway = underWay.find((name) => existsSync(join(gitDir, name)))
  if (halfway === undefined) return
  throw new LooperError('WORKSPACE_APPLY', `Your checkout is in the middle of another operation (${halfway}).`, {
    hint: 'Finish or abort it (`git status` shows how), then try again.',
  })
}

/** Uncommitted changes are kept, unless the run touched the same files. */
export async function refuseOverlap(
  root: string,
  changes: readonly Change[],
  run: string,
  call: GitCall,
): Promise<void> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
    '--ignore-submodules=untracked',
  ]
  const listed = await git(args, call)
  const modified = new Set(listed.split('\0').map((entry) => entry.slice(3)))
  const overlap = changes.map(({ path }) => path).filter((path) => modified.has(path))
  if (overlap.length > 0) throw overwritten(overlap, run)
  const existing: string[] = []
  const untracked: string[] = []
  for (const { path, from } of changes) {
    const found = await whenExists(lstat(join(root, path)), path)
    if (!found) continue
    existing.push(path)
    // The index does not have it either, otherwise it would be modified.
    if (from === null && !found.isDirectory()) untracked.push(path)
  }
  if (untracked.length > 0) throw overwritten(untracked, run)
  if (existing.length === 0) return
  // Git overwrites ignored files, but an ignored file may be the user's only copy.
  const ignored = await tryGit(['check-ignore', '-z', '--stdin'], { ...call, input: existing.join('\0') + '\0' })
  const lost = ignored.stdout.split('\0').filter((path) => path !== '')
  if (lost.length > 0) throw overwritten(lost, run)
}

const overwritten = (paths: readonly string[], run: string): LooperError =>
  new LooperError(
    'WORKSPACE_APPLY',
    `Your uncommitted files would be overwritten: ${naming(paths)}. Nothing was changed.`,
    { hint: `Commit, stash or move them, then run \`looper apply ${plain(run)}\`.`, details: { paths } },
  )

/** Updates the files and the index, which git does all or nothing. HEAD stays. */
export async function moveFiles(from: string, to: string, run: string, call: GitCall): Promise<void> {
  await tryGit(['update-index', '-q', '--refresh'], call)
  const args = ['read-tree', '-m', '-u', from, to]
  const updated = await tryGit(args, call)
  if (updated.exitCode === 0) return
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
export async function restoreFiles(root: string, changes: readonly Change[], call: GitCall): Promise<void> {
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
