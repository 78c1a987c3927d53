/** Does a new worktree bring this file along? */
import { tryGit } from './git.ts'

export async function isTracked(root: string, path: string): Promise<boolean> {
  return (await tryGit(['cat-file', '-e', `HEAD:./${path}`], { cwd: root })).exitCode === 0
}
