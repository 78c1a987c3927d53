/** Lists the commits that a run branch has beyond the base of the run. */
import { git } from '../git/git.ts'

export interface LandedOn {
  commits: ReadonlySet<string>
  /** Tasks named in the trailers of the commits. After a user's rebase, the commits differ but the trailers stay. */
  tasks: ReadonlySet<string>
}

/** Throws WORKSPACE_GIT when the ref or commit does not exist. */
export async function landedOn(root: string, tip: string, base: string): Promise<LandedOn> {
  const format = '--format=%H %(trailers:key=Looper-Task,valueonly,separator=%x20)'
  const log = await git(['log', format, `${base}..${tip}`, '--'], { cwd: root })
  const lines = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
  return {
    commits: new Set(lines.flatMap(([commit = '']) => commit)),
    tasks: new Set(lines.flatMap(([, ...tasks]) => tasks)),
  }
}
