/** Lets the user review a finished run: show its diff, apply it to their branch, or discard it. */
import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { whenExists } from '../platform/files.ts'
import { plain } from '../views/plain-text.ts'
import { readHead } from './commit-on-head.ts'
import { makeCommit } from './commit.ts'
import { git, gitError, tryGit, type GitCall } from './git.ts'
import { mergeTrees } from './merge-trees.ts'
import { removeScratch } from './run-leftovers.ts'
import { listRefs, runRefFolder } from './run-refs.ts'
import { worktreesFolder } from './safe-name.ts'
import { compareTrees } from './tree-changes.ts'
import { readUserSettings } from './user-settings.ts'
import { gitDirsOf } from './worktree-link.ts'

export interface RunToReview {
  run: string
  branch: string
  /** The commit the run started from. */
  base: string
}

export interface Applied {
  status: 'applied' | 'already' | 'nothing'
  /** The commit of the user's branch now. */
  commit: string
  /** The name of that branch; null when HEAD is detached. */
  onto: string | null
  /** True when a merge commit was needed because the user's branch has new commits. */
  merged: boolean
  files: number
}

export interface DiffOptions {
  /** Only file names and line counts. */
  stat: boolean
  /** Include binary files in full, so that the patch can be applied. */
  exact: boolean
}

export const diffRun = async (root: string, base: string, branch: string, options: DiffOptions): Promise<Buffer> =>
  diffTrees(root, base, await tipOf(root, branch, branch.replace(/^looper\//, '')), options)

/**
 * Returns raw bytes, because files need not be UTF-8. A caller that prints them to a terminal must remove control
 * characters.
 */
export async function diffTrees(root: string, from: string, to: string, { stat, exact }: DiffOptions): Promise<Buffer> {
  const form = stat ? ['--stat=100', '--summary'] : exact ? ['-p', '--binary'] : ['-p']
  const args = ['diff-tree', '-r', '-M', ...form, '--no-ext-diff', '--no-textconv', '--no-color', from, to]
  const result = await tryGit(args, { cwd: root, encoding: 'latin1' })
  if (result.exitCode !== 0) throw gitError(args, result)
  return Buffer.from(result.stdout, 'latin1')
}

/** Each check receives the commit to apply. If it throws, nothing is changed. */
export interface ApplyChecks {
  /** Also called when the run has landed nothing. */
  compare?: (commit: string) => Promise<void>
  verify?: (commit: string) => Promise<void>
}

/** Applies the run's commits to the current branch and its checkout, all or nothing. */
export async function applyRun(
  root: string,
  { run, branch, base }: RunToReview,
  { compare, verify }: ApplyChecks = {},
): Promise<Applied> {
  const call: GitCall = { cwd: root, env: (await readUserSettings(root)).identity }
  refuseHalfway(gitDirsOf(root).gitDir)
  const [tip, head, onto] = [
    await tipOf(root, branch, run),
    (await readHead(root, 'apply')).commit,
    await currentBranch(call),
  ]
  if (tip === base) {
    await compare?.(tip)
    return { status: 'nothing', commit: head, onto, merged: false, files: 0 }
  }
  if (await isAncestor(tip, head, call)) return { status: 'already', commit: head, onto, merged: false, files: 0 }
  const merged = !(await isAncestor(head, tip, call))
  const target = merged ? await mergeCommit(head, tip, branch, run, call) : tip
  const changes = await compareTrees(head, target, call)
  await refuseOverlap(
    root,
    changes.map(({ path }) => path),
    run,
    call,
  )
  await compare?.(target)
  await verify?.(target)
  await moveCheckout(head, target, run, call)
  return { status: 'applied', commit: target, onto, merged, files: changes.length }
}

async function currentBranch(call: GitCall): Promise<string | null> {
  const { exitCode, stdout } = await tryGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], call)
  return exitCode === 0 ? stdout.trim() : null
}

export interface Discarded {
  /** The deleted refs. */
  refs: string[]
  /** The last commit of the branch. */
  commit: string | null
}

/** Removes the work trees of the run, its branch and its refs. */
export async function discardRun(root: string, { run, branch }: Omit<RunToReview, 'base'>): Promise<Discarded> {
  const branchRef = `refs/heads/${branch}`
  const folder = worktreesFolder(root, run)
  const listed = await listRefs([branchRef, runRefFolder(run)], { cwd: root })
  const holder = listed.get(branchRef)?.checkedOut ?? ''
  if (holder !== '' && !holder.startsWith(`${folder}/`)) {
    throw new LooperError('WORKSPACE_APPLY', `${plain(branch)} is checked out in ${plain(holder)}.`, {
      hint: 'Check out another branch there (`git switch -`), then discard the run.',
    })
  }
  await removeScratch(root, run)
  const refs = [...listed.keys()].filter((ref) => ref === branchRef || ref.startsWith(`${runRefFolder(run)}/`))
  if (refs.length > 0)
    await git(['update-ref', '--stdin'], { cwd: root, input: refs.map((ref) => `delete ${ref}\n`).join('') })
  const tip = listed.get(branchRef) ?? listed.get(`${runRefFolder(run)}/tip`)
  return { refs, commit: tip?.commit ?? null }
}

/** Whether neither the run's branch nor Looper's copy of it exists. */
export async function isDiscarded(root: string, { run, branch }: Omit<RunToReview, 'base'>): Promise<boolean> {
  const [branchRef, keptRef] = [`refs/heads/${branch}`, `${runRefFolder(run)}/tip`]
  return (await listRefs([branchRef, keptRef], { cwd: root })).size === 0
}

/** The commit of the branch, or else of Looper's copy of it; null when both are gone. */
export async function findTip(root: string, { run, branch }: Omit<RunToReview, 'base'>): Promise<string | null> {
  const [branchRef, keptRef] = [`refs/heads/${branch}`, `${runRefFolder(run)}/tip`]
  const listed = await listRefs([branchRef, keptRef], { cwd: root })
  return (listed.get(branchRef) ?? listed.get(keptRef))?.commit ?? null
}

async function tipOf(root: string, branch: string, run: string): Promise<string> {
  const tip = await findTip(root, { run, branch })
  if (tip !== null) return tip
  const hint = 'It was discarded, or the run never got that far.'
  throw new LooperError('WORKSPACE_APPLY', `There is no branch ${plain(branch)}.`, { hint })
}

async function isAncestor(older: string, newer: string, call: GitCall): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer]
  const result = await tryGit(args, call)
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  return result.exitCode === 0
}

async function mergeCommit(head: string, tip: string, branch: string, run: string, call: GitCall): Promise<string> {
  const { tree, clean, conflicts } = await mergeTrees(head, tip, call)
  if (!clean) {
    throw new LooperError(
      'WORKSPACE_APPLY',
      `The run conflicts with your branch in ${naming(conflicts)}. Nothing was changed.`,
      { hint: `Run \`git merge ${plain(branch)}\` and resolve it by hand.`, details: { conflicts } },
    )
  }
  return makeCommit(
    { tree, parents: [head, tip], message: `Merge branch '${plain(branch)}'\n\nLooper-Run: ${plain(run)}\n` },
    call,
  )
}

const underWay = ['MERGE_HEAD', 'rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

function refuseHalfway(gitDir: string): void {
  const halfway = underWay.find((name) => existsSync(join(gitDir, name)))
  if (halfway === undefined) return
  throw new LooperError('WORKSPACE_APPLY', `Your checkout is in the middle of another operation (${halfway}).`, {
    hint: 'Finish or abort it (`git status` shows how), then try again.',
  })
}

/** Uncommitted changes are kept, unless the run touched the same files. */
async function refuseOverlap(root: string, touched: readonly string[], run: string, call: GitCall): Promise<void> {
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
  const overlap = touched.filter((path) => modified.has(path))
  if (overlap.length > 0) throw overwritten(overlap, run)
  const existing: string[] = []
  for (const path of touched) if (await whenExists(lstat(join(root, path)), path)) existing.push(path)
  if (existing.length === 0) return
  // Git overwrites ignored files, but an ignored file may be the user's only copy.
  const ignored = await tryGit(['check-ignore', '-z', '--stdin'], { ...call, input: existing.join('\0') + '\0' })
  const lost = ignored.stdout.split('\0').filter((path) => path !== '')
  if (lost.length > 0) throw overwritten(lost, run)
}

/** Updates the files first, which git does all or nothing, and then HEAD. */
async function moveCheckout(from: string, to: string, run: string, call: GitCall): Promise<void> {
  await tryGit(['update-index', '-q', '--refresh'], call)
  const args = ['read-tree', '-m', '-u', from, to]
  const updated = await tryGit(args, call)
  if (updated.exitCode !== 0) {
    const { message } = gitError(args, updated)
    throw new LooperError('WORKSPACE_APPLY', `Your checkout cannot take the run: ${message}. Nothing was changed.`, {
      hint: `Commit, stash or move the files in the way, then run \`looper apply ${plain(run)}\`.`,
    })
  }
  const lines = [`update HEAD ${to} ${from}`, `update ORIG_HEAD ${from}`]
  await git(['update-ref', '-m', `looper apply: ${plain(run)}`, '--stdin'], { ...call, input: lines.join('\n') + '\n' })
}

const overwritten = (paths: readonly string[], run: string): LooperError =>
  new LooperError(
    'WORKSPACE_APPLY',
    `Your uncommitted files would be overwritten: ${naming(paths)}. Nothing was changed.`,
    { hint: `Commit or stash them, then run \`looper apply ${plain(run)}\`.`, details: { paths } },
  )

const naming = (paths: readonly string[]): string => {
  const named = paths
    .slice(0, 3)
    .map((path) => plain(path))
    .join(', ')
  return paths.length > 3 ? `${named} and ${paths.length - 3} more` : named || 'some files'
}
