/**
 * Finds commits that an agent made and then dropped by amending, resetting or rebasing. Only the reflog of its HEAD has
 * them.
 */
import { lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../../platform/files.ts'
import { git, tryGit, type GitCall } from '../git/git.ts'
import type { WorkTree } from './work-tree.ts'

/** Only the end of a longer log is read. */
const mostBytes = 1_000_000

const logOf = ({ gitDir }: WorkTree): string => join(gitDir, 'logs', 'HEAD')

/** The current size of the log. Later entries come after this offset. */
export function recordHeadLog(workTree: WorkTree): number {
  const file = logOf(workTree)
  const found = ifExists(() => lstatSync(file), file)
  return found?.isFile() ? found.size : 0
}

/** Commits that HEAD left since then by anything but a commit on top. Does not start git. */
export async function leftSince(workTree: WorkTree, logged: number): Promise<string[]> {
  const size = recordHeadLog(workTree)
  if (size === 0 || size === logged) return []
  const lines = (await readLog(workTree, Math.max(logged < size ? logged : 0, size - mostBytes), size)).split('\n')
  const left = lines.flatMap((line) => {
    const [, from = '', to = '', how = ''] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t?(.*)$/.exec(line) ?? []
    return from === to || /^0+$/.test(from) || /^commit(?: \(merge\))?: /.test(how) ? [] : [from]
  })
  return [...new Set(left)]
}

async function readLog(workTree: WorkTree, from: number, to: number): Promise<string> {
  const file = await open(logOf(workTree))
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(to - from), position: from })
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}

/**
 * Returns the commits that neither `head` nor a ref under `folder` reaches: only the newest of each line of history.
 */
export async function unreached(
  commits: readonly string[],
  head: string,
  folder: string,
  call: GitCall,
): Promise<string[]> {
  const args = [
    'rev-list',
    '--ignore-missing',
    '--topo-order',
    '--parents',
    '--stdin',
    '--not',
    head,
    `--glob=${folder}`,
  ]
  const listed = (await list(commits, args, call)).map((line) => line.split(' '))
  const parents = new Set(listed.flatMap(([, ...before]) => before))
  return [...new Set(listed.flatMap(([commit = '']) => (parents.has(commit) ? [] : [commit])))]
}

/**
 * An agent can write to the log, so entries that git cannot read are skipped one by one. Throws when git fails even
 * without input.
 */
async function list(commits: readonly string[], args: readonly string[], call: GitCall): Promise<string[]> {
  const { exitCode, stdout } = await tryGit(args, { ...call, input: commits.map((commit) => `${commit}\n`).join('') })
  if (exitCode === 0) return stdout.split('\n').filter((line) => line !== '')
  if (commits.length <= 1) return git(args, { ...call, input: '' }).then(() => [])
  const half = Math.ceil(commits.length / 2)
  return [...(await list(commits.slice(0, half), args, call)), ...(await list(commits.slice(half), args, call))]
}
