/** Checks whether a fresh worktree contains a file. */
import { tryGit } from './git.ts'

/** The content of the file at HEAD, where a run would start; null when HEAD does not have it. */
export async function committedText(root: string, path: string): Promise<string | null> {
  const { exitCode, stdout } = await tryGit(['cat-file', 'blob', `HEAD:./${path}`], { cwd: root })
  return exitCode === 0 ? stdout : null
}

/** Whether HEAD has the file, and `commit`, from which the worktree starts, has the same content. */
export async function isTracked(root: string, path: string, commit = 'HEAD'): Promise<boolean> {
  const { exitCode, stdout } = await tryGit(['rev-parse', '--verify', '--quiet', `HEAD:./${path}`], { cwd: root })
  if (exitCode !== 0 || commit === 'HEAD') return exitCode === 0
  const then = await tryGit(['rev-parse', '--verify', '--quiet', `${commit}:./${path}`], { cwd: root })
  return then.exitCode === 0 && then.stdout === stdout
}
