/** Reads a branch from its file: refs are read all the time, and starting git takes longer than the reading. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, whenExists } from '../platform/files.ts'

/** Null when only git can tell: packed, another kind of store, or checked out somewhere. */
export async function readFreeBranch(commonDir: string, ref: string): Promise<string | null> {
  const commit = await line(join(commonDir, ref))
  if (commit === null || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return null
  const folder = join(commonDir, 'worktrees')
  const linked = (await whenExists(readdir(folder), folder)) ?? []
  const heads = await Promise.all([commonDir, ...linked.map((name) => join(folder, name))].map((gitDir) => line(join(gitDir, 'HEAD'))))
  return heads.includes(`ref: ${ref}`) ? null : commit
}

async function line(file: string): Promise<string | null> {
  const content = await readIfExists(file).catch(() => null)
  return content === null ? null : content.toString('utf8').trim()
}
