/** Keeps secrets out of the refs under which Looper keeps what agents committed themselves. */
import { StringDecoder } from 'node:string_decoder'
import { makeCommit } from './commit.ts'
import { git, type GitCall } from './git.ts'

/** Whether a text holds no secret. */
export type IsClean = (text: string) => boolean

interface Made {
  commit: string
  /** The commit that the agent began with. */
  since: string
  message: string
}

const show = ['--no-ext-diff', '--no-textconv', '--no-color', '--text', '--full-index']

/**
 * The commit itself when nothing since `since` holds a secret, in a message or a file; otherwise its files alone as one
 * commit; null when these hold one as well.
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

/** Whether no commit since `since` holds a secret, in a message or a file; null means since the first commit. */
export function isHistoryClean(
  commit: string,
  since: string | null,
  isClean: IsClean,
  call: GitCall,
): Promise<boolean> {
  const range = since === null ? [commit] : [commit, `^${since}`]
  return printsClean(['log', '-p', '-m', '--format=%an%n%ae%n%cn%n%ce%n%B', ...show, ...range], isClean, call)
}

/** More than any spelling of a secret is long: a chunk is read together with the end of the one before. */
const overlap = 64 * 1024

async function printsClean(args: readonly string[], isClean: IsClean, call: GitCall): Promise<boolean> {
  // A chunk may end within a character.
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
