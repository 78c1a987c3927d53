/**
 * Resets a run branch to the last commit in its journal after a repair truncated the journal. Later commits stay
 * reachable.
 */
import { LooperError } from '../../model/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import { git } from '../git/git.ts'
import { freeAside, listRefs, runRefFolder } from './run-refs.ts'
import { worktreesFolder } from '../git/safe-name.ts'

export interface Rewind {
  run: string
  branch: string
  /** The last commit of the run that its journal records. */
  to: string
}

/** Returns the ref that keeps the old tip; null when the branch has no commit of the run after `to`. */
export async function rewindRun(root: string, { run, branch, to }: Rewind): Promise<string | null> {
  const [branchRef, folder] = [`refs/heads/${branch}`, runRefFolder(run)]
  const listed = await listRefs([branchRef, folder], { cwd: root })
  const tip = listed.get(branchRef)
  if (!tip || !(await landedSince(root, run, `${to}..${tip.commit}`))) return null
  if (tip.checkedOut !== '' && !tip.checkedOut.startsWith(`${worktreesFolder(root, run)}/`)) {
    throw new LooperError(
      'WORKSPACE_GIT',
      `The run branch ${plain(branch)} is checked out in ${plain(tip.checkedOut)}: `
        + 'moving it would disturb that checkout.',
      { hint: 'Check out another branch there (`git switch -`), then `looper doctor --repair`.' },
    )
  }
  const aside = freeAside(run, listed)
  const lines = [
    `create ${aside} ${tip.commit}`,
    `update ${branchRef} ${to} ${tip.commit}`,
    `update ${folder}/tip ${to}`,
  ]
  await git(['update-ref', '--stdin'], { cwd: root, input: `${lines.join('\n')}\n` })
  return aside
}

async function landedSince(root: string, run: string, range: string): Promise<boolean> {
  const runs = await git(
    ['rev-list', '--no-commit-header', '--format=%(trailers:key=Looper-Run,valueonly)', range, '--'],
    { cwd: root },
  )
  return runs.split('\n').includes(plain(run))
}
