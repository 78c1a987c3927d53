/** The branch of a run that begins in the middle of another one's. */
import { git } from './git.ts'
import { runRefFolder } from './run-refs.ts'

/** Both refs or none: the user's branch, and what Looper keeps of it. Refuses when either is there. */
export async function createRunBranch(
  root: string,
  { run, branch, commit }: { run: string; branch: string; commit: string },
): Promise<void> {
  const lines = [`create refs/heads/${branch} ${commit}`, `create ${runRefFolder(run)}/tip ${commit}`]
  await git(['update-ref', '-m', `looper fork: ${run}`, '--stdin'], { cwd: root, input: `${lines.join('\n')}\n` })
}
