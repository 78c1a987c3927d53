/** Lets the user review a finished run: show its diff, or discard it. `apply-run.ts` applies it to their branch. */
import { LooperError } from '../../model/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import { git, gitError, tryGit } from '../git/git.ts'
import { removeScratch } from './run-leftovers.ts'
import { listRefs, runRefFolder } from './run-refs.ts'
import { worktreesFolder } from '../git/safe-name.ts'

export interface RunToReview {
  run: string
  branch: string
  /** The commit the run started from. */
  base: string
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

export async function tipOf(root: string, branch: string, run: string): Promise<string> {
  const tip = await findTip(root, { run, branch })
  if (tip !== null) return tip
  const hint = 'It was discarded, or the run never got that far.'
  throw new LooperError('WORKSPACE_APPLY', `There is no branch ${plain(branch)}.`, { hint })
}
