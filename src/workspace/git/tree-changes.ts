/** Compares two trees, as data and as text. */
import type { Change, Entry } from './change.ts'
import { git, gitError, tryGit, type GitCall } from './git.ts'

const gitlinkMode = '160000'
const quiet = ['--no-ext-diff', '--no-textconv', '--no-color']

/** The git arguments whose output `readChanges` parses. */
export const changesArguments = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-renames', ...quiet]

export const isGitlink = (entry: Entry | null): boolean => entry?.mode === gitlinkMode

/** `from` and `to` are trees or commits. A rename is a deletion and an addition. */
export async function compareTrees(from: string, to: string, call: GitCall): Promise<Change[]> {
  const found = call.quick?.changes(from, to) ?? readChanges(await git([...changesArguments, from, to], call))
  call.quick?.rememberChanges(from, to, found)
  return found
}

export function readChanges(listed: string): Change[] {
  const tokens = listed.split('\0')
  const changes = new Map<string, Change>()
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    if (token.startsWith(':')) {
      const path = tokens[++at] ?? ''
      changes.set(path, { path, ...entriesOf(token), insertions: 0, deletions: 0 })
    } else if (token !== '') {
      const [insertions, deletions, ...path] = token.split('\t')
      const change = changes.get(path.join('\t'))
      if (change) Object.assign(change, { insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 })
    }
  }
  return [...changes.values()]
}

function entriesOf(raw: string): Pick<Change, 'from' | 'to'> {
  const [fromMode = '', toMode = '', fromObject = '', toObject = ''] = raw.slice(1).split(' ')
  const entry = (mode: string, object: string): Entry | null => (/^0+$/.test(mode) ? null : { mode, object })
  return { from: entry(fromMode, fromObject), to: entry(toMode, toObject) }
}

/** A unified diff of at most `maxChars`; a longer one ends with a notice. Binary files are only named. */
export async function diffText(from: string, to: string, maxChars: number, call: GitCall): Promise<string> {
  const enough = new AbortController()
  const chunks: Buffer[] = []
  let bytes = 0
  const args = ['diff-tree', '-r', '-p', '-M', ...quiet, from, to]
  const result = await tryGit(args, {
    ...call,
    signal: enough.signal,
    onOutput: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxChars * 4) enough.abort()
    },
  })
  if (result.exitCode !== 0 && !result.aborted) throw gitError(args, result)
  return cutDiff(Buffer.concat(chunks).toString('utf8'), maxChars)
}

function cutDiff(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const note = `\n[cut here: the whole diff is longer than ${maxChars} characters]\n`
  const room = Math.max(0, maxChars - note.length)
  const lineEnd = text.lastIndexOf('\n', room)
  return (text.slice(0, lineEnd > 0 ? lineEnd : room) + note).slice(0, maxChars)
}
