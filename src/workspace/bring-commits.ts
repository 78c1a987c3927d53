/**
 * Copies commits from an agent's clone into the repository that `call` names. Nothing of the clone is run or believed:
 * its objects are read as plain content, and what arrives is hashed and checked anew.
 */
import { join } from 'node:path'
import { quotedPath } from './clone-git-dir.ts'
import { gitError, tryGitScript, type GitCall } from './git.ts'

/** A pipe in the place of an object would be waited for. */
const mostMs = 60_000

/** Files of a clone that only speed git up, and could mislead it. */
const distrust = ['core.commitGraph=false', 'core.multiPackIndex=false', 'pack.useBitmaps=false']

/** The same call with the objects of the clone in view. */
export const seeing = (gitDir: string, call: GitCall): GitCall => ({
  ...call,
  config: [...(call.config ?? []), ...distrust],
  timeoutMs: mostMs,
  suspect: { folder: gitDir, isGitDir: true },
  env: { ...call.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(join(gitDir, 'objects')) },
})

/** Git fails in the second part when it fails in the first: the pack is cut short. */
const bringScript = [
  'git pack-objects -q --revs --stdout |',
  '(unset GIT_ALTERNATE_OBJECT_DIRECTORIES; exec git unpack-objects -q --strict)',
].join(' ')

/** Returns the commits that are there now; one that is not whole is left out. The repository has those in `known`. */
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
