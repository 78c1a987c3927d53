/** Does a worktree bring this file along? */
import { tryGit } from './git.ts'

/** What the file holds in the commit that a run would begin with; null when it is not in it. */
export async function committedText(root: string, path: string): Promise<string | null> {
  const { exitCode, stdout } = await tryGit(['cat-file', 'blob', `HEAD:./${path}`], { cwd: root })
  return exitCode === 0 ? stdout : null
}

/** Git has it, and `commit`, which the worktree begins with, has the same. */
export async function isTracked(root: string, path: string, commit = 'HEAD'): Promise<boolean> {
  const { exitCode, stdout } = await tryGit(['rev-parse', '--verify', '--quiet', `HEAD:./${path}`], { cwd: root })
  if (exitCode !== 0 || commit === 'HEAD') return exitCode === 0
  const then = await tryGit(['rev-parse', '--verify', '--quiet', `${commit}:./${path}`], { cwd: root })
  return then.exitCode === 0 && then.stdout === stdout
}
