/**
 * Copies commits from an agent's clone into the repository of `call`. Nothing in the clone is executed or trusted: its
 * objects are read as plain data, then hashed and checked again.
 */
import { join } from 'node:path'
import { quotedPath } from './clone-git-dir.ts'
import { gitError, tryGitScript, type GitCall } from '../git/git.ts'

/** A pipe planted in place of an object would block git for ever. */
const mostMs = 60_000

/** Disables clone files that only speed up git and could mislead it. */
const distrust = ['core.commitGraph=false', 'core.multiPackIndex=false', 'pack.useBitmaps=false']

/** Adds the objects of the clone to the call. */
export const seeing = (gitDir: string, call: GitCall): GitCall => ({
  ...call,
  config: [...(call.config ?? []), ...distrust],
  timeoutMs: mostMs,
  suspect: { folder: gitDir, isGitDir: true },
  env: { ...call.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(join(gitDir, 'objects')) },
})

/** When the first command fails, the pack is truncated, so the second fails too. */
const bringScript = [
  'git pack-objects -q --revs --stdout |',
  '(unset GIT_ALTERNATE_OBJECT_DIRECTORIES; exec git unpack-objects -q --strict)',
].join(' ')

/** Returns the commits that were copied; incomplete ones are omitted. The repository already has those in `known`. */
export async function bringCommits(
  gitDir: string,
  commits: readonly string[],
  known: readonly string[],
  call: GitCall,
): Promise<string[]> {
  if (commits.length === 0) return []
  const input = [...commits, '--not', ...known, ''].join('\n')
  const result = await tryGitScript(bringScript, [], { ...seeing(gitDir, call), input })
  if (result.exitCode === 0) return [...commits]
  const error = gitError(['unpack-objects'], result)
  if (error.code !== 'WORKSPACE_GIT') throw error
  if (commits.length === 1) return []
  const half = Math.ceil(commits.length / 2)
  const first = await bringCommits(gitDir, commits.slice(0, half), known, call)
  return [...first, ...(await bringCommits(gitDir, commits.slice(half), known, call))]
}
