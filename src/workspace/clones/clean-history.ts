/** Keeps secrets out of the refs under which Looper saves commits that agents made themselves. */
import { StringDecoder } from 'node:string_decoder'
import { LooperError } from '../../model/error.ts'
import { seeing } from './bring-commits.ts'
import { makeCommit } from '../landing/commit.ts'
import { git, type GitCall } from '../git/git.ts'

/** Whether a text contains no secret. */
export type IsClean = (text: string) => boolean

interface Made {
  commit: string
  /** The commit that the agent started from. */
  since: string
  message: string
}

const show = ['--no-ext-diff', '--no-textconv', '--no-color', '--text', '--full-index']

/**
 * The commit itself when no message or file since `since` contains a secret; otherwise its files as one new commit;
 * null when these contain a secret as well.
 */
export async function cleanVersion(
  { commit, since, message }: Made,
  isClean: IsClean,
  call: GitCall,
): Promise<string | null> {
  if (await isHistoryClean(commit, since, isClean, call)) return commit
  if (!(await printsClean(['diff-tree', '-r', '-p', ...show, since, commit], isClean, call))) return null
  const tree = await git(['rev-parse', '--verify', `${commit}^{tree}`], call)
  return makeCommit({ tree, parents: [since], message }, call)
}

/** Whether no commit since `since` contains a secret in its message or files; null means since the first commit. */
export function isHistoryClean(
  commit: string,
  since: string | null,
  isClean: IsClean,
  call: GitCall,
): Promise<boolean> {
  const range = since === null ? [commit] : [commit, `^${since}`]
  return printsClean(['log', '-p', '-m', '--format=%an%n%ae%n%cn%n%ce%n%B', ...show, ...range], isClean, call)
}

/**
 * Longer than any encoding of a secret. Each chunk is checked together with the end of the one before, so that a secret
 * split between them is found.
 */
const overlap = 64 * 1024

async function printsClean(args: readonly string[], isClean: IsClean, call: GitCall): Promise<boolean> {
  // A chunk may end inside a character.
  const decoder = new StringDecoder('utf8')
  let end = ''
  let clean = true
  const onOutput = (chunk: Buffer): void => {
    const text = end + decoder.write(chunk)
    clean &&= isClean(text)
    end = text.slice(-overlap)
  }
  await git(args, { ...call, onOutput })
  return clean
}

/** Scans the commits in the agent's clone before any of them is copied. `unknown`: git cannot read them. */
export async function scanCommits(
  clone: { gitDir: string },
  from: string | null,
  commit: string,
  { isClean }: { isClean?: IsClean | undefined },
  call: GitCall,
): Promise<'clean' | 'secret' | 'unknown'> {
  if (isClean === undefined) return 'clean'
  try {
    return (await isHistoryClean(commit, from, isClean, seeing(clone.gitDir, call))) ? 'clean' : 'secret'
  } catch (error) {
    if (error instanceof LooperError && error.code === 'WORKSPACE_GIT') return 'unknown'
    throw error
  }
}
