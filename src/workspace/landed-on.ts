/** What a run branch holds beyond the commit that the run started from. */
import { git } from './git.ts'

export interface LandedOn {
  commits: ReadonlySet<string>
  /** Tasks named by the messages of the commits: a branch that a person rebased has other commits. */
  tasks: ReadonlySet<string>
}

/** Throws WORKSPACE_GIT when there is no such ref or commit. */
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
