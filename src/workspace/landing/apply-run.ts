/** Applies a finished run to the branch and the checkout of the user, all or nothing. */
import type { ApplyStyle } from '../../model/config.ts'
import { linksFor, makeLinks } from './apply-commits.ts'
import { readHead } from './read-head.ts'
import { gitError, tryGit, type GitCall } from '../git/git.ts'
import { compareTrees } from '../git/tree-changes.ts'
import { readUserSettings } from '../git/user-settings.ts'
import { gitDirsOf } from '../clones/worktree-link.ts'
import { moveFiles, moveHead, refuseHalfway, refuseOverlap, restoreFiles } from './move-checkout.ts'
import { tipOf, type RunToReview } from './review.ts'
import { currentBranch, refuseOtherBranch } from './user-branch.ts'
import { refuseChangedHooks, runHooks, type HookRun } from './user-hooks.ts'

export interface Applied {
  status: 'applied' | 'already' | 'nothing'
  /** The commit of the user's branch now. */
  commit: string
  /** The name of that branch; null when HEAD is detached. */
  onto: string | null
  /** The commit of the run branch. */
  tip: string
  /** The user's branch has commits that the run did not start from. */
  moved: boolean
  /** A merge commit was made. */
  merged: boolean
  /** How many commits were made; 0 for a fast-forward. */
  made: number
  files: number
}

/** The commit to apply, and the run's own commit, whose history has every landing. */
export interface ApplyTarget {
  commit: string
  tip: string
  moved: boolean
}

/** Each check receives the commit to apply. If it throws, nothing is changed. */
export interface ApplyChecks {
  /** Also called when the run has landed nothing. */
  compare?: (target: ApplyTarget) => Promise<void>
  verify?: (target: ApplyTarget) => Promise<void>
}

export interface ApplyRequest extends RunToReview {
  /** Default: merge. */
  style?: ApplyStyle
  /** The message of a squashed run. */
  squash?: string
  /** What an earlier apply took: the commit of the run branch, and what the user's branch was at then. */
  taken?: { tip: string; commit: string } | null
  /** Run the user's hooks for the commits that are made; absent: no hooks. */
  hooks?: Pick<HookRun, 'env' | 'signal'> | null
  /** The branch that the run started from; null: none was checked out. */
  started?: string | null
  /** Refuse another branch. */
  onlyThere?: boolean
}

/** Applies the run's commits to the current branch and its checkout, all or nothing. */
export async function applyRun(
  root: string,
  {
    run,
    branch,
    base,
    style = 'merge',
    squash = '',
    taken = null,
    hooks = null,
    started = null,
    onlyThere = false,
  }: ApplyRequest,
  { compare, verify }: ApplyChecks = {},
): Promise<Applied> {
  const call: GitCall = { cwd: root, env: (await readUserSettings(root)).identity }
  refuseHalfway(gitDirsOf(root).gitDir)
  const tip = await tipOf(root, branch, run)
  const { commit: head } = await readHead(root, 'apply')
  const unchanged = {
    commit: head,
    onto: await currentBranch(call),
    tip,
    moved: false,
    merged: false,
    made: 0,
    files: 0,
  }
  if (tip === base) {
    await compare?.({ commit: tip, tip, moved: false })
    return { status: 'nothing', ...unchanged }
  }
  const isIn = (older: string, newer: string): Promise<boolean> => isAncestor(older, newer, call)
  const from = taken && (await isIn(taken.commit, head)) && (await isIn(taken.tip, tip)) ? taken.tip : null
  if (from === tip || (await isIn(tip, head))) return { status: 'already', ...unchanged }
  refuseOtherBranch(run, { onto: unchanged.onto, started, onlyThere })
  const moved = !(await isIn(head, tip))
  const links = await linksFor({ style, run, branch, head, tip, from, moved, squash }, call)
  const isNew = !moved && style !== 'squash'
  const target = links.length > 0 ? await makeLinks(head, links, call) : isNew ? tip : head
  // Every commit of the run is in the user's branch under another id.
  if (target === head) return { status: 'already', ...unchanged }
  const changes = await compareTrees(head, target, call)
  const finished = await refuseOverlap(root, changes, run, call)
  await compare?.({ commit: target, tip, moved })
  await verify?.({ commit: target, tip, moved })
  if (hooks !== null && links.length > 0) await refuseChangedHooks(root, changes, run)
  const move = { from: head, to: target, run, changes, finished }
  await moveFiles(move, call)
  let commit = target
  try {
    if (hooks !== null && links.length > 0) commit = await runHooks(head, links, target, { root, run, call, ...hooks })
    await moveHead(head, commit, run, call)
  } catch (error) {
    await restoreFiles(root, move, call)
    throw error
  }
  const made = links.length
  const merged = moved && style === 'merge'
  return { ...unchanged, status: 'applied', commit, moved, merged, made, files: changes.length }
}

async function isAncestor(older: string, newer: string, call: GitCall): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', older, newer]
  const result = await tryGit(args, call)
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  return result.exitCode === 0
}
