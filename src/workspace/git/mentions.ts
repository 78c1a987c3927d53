/** Finds the files of a tree whose text mentions certain words, without a checkout. */
import { gitError, tryGit, type GitCall } from './git.ts'

const mostPaths = 5000

/** Returns paths of text files. `words` are literal and must not contain line feeds. */
export async function pathsMentioning(tree: string, words: readonly string[], call: GitCall): Promise<string[]> {
  if (words.length === 0) return []
  const patterns = words.flatMap((word) => ['-e', word])
  const args = [
    'grep',
    '--no-color',
    '--no-recurse-submodules',
    '--full-name',
    '--name-only',
    '-z',
    '-I',
    '-F',
    ...patterns,
    tree,
  ]
  const result = await tryGit(args, call)
  if (result.exitCode === 1) return []
  if (result.exitCode !== 0) throw gitError(args, result)
  const prefix = `${tree}:`.length
  return result.stdout
    .split('\0')
    .filter(Boolean)
    .slice(0, mostPaths)
    .map((line) => line.slice(prefix))
}
