/** Creates the branch of a run that forks from the middle of another run. */
import { git } from '../git/git.ts'
import { runRefFolder } from './run-refs.ts'

/** Creates both refs or none: the user's branch and Looper's own copy of it. Fails when either exists. */
export async function createRunBranch(
  root: string,
  { run, branch, commit }: { run: string; branch: string; commit: string },
): Promise<void> {
  const lines = [`create refs/heads/${branch} ${commit}`, `create ${runRefFolder(run)}/tip ${commit}`]
  await git(['update-ref', '-m', `looper fork: ${run}`, '--stdin'], { cwd: root, input: `${lines.join('\n')}\n` })
}
