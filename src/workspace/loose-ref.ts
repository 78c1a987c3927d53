/** Reads a branch from its file: refs are read all the time, and starting git takes longer than the reading. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, whenExists } from '../platform/files.ts'

/** Null when only git can tell: packed, or another kind of store. */
export async function readLooseRef(commonDir: string, ref: string): Promise<string | null> {
  const found = await line(join(commonDir, ref))
  return found !== null && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(found) ? found : null
}

/** The same for a branch, and null also when it is checked out anywhere. */
export async function readFreeBranch(commonDir: string, ref: string): Promise<string | null> {
  const folder = join(commonDir, 'worktrees')
  const linked = (await whenExists(readdir(folder), folder)) ?? []
  const heads = await Promise.all([commonDir, ...linked.map((name) => join(folder, name))].map((gitDir) => line(join(gitDir, 'HEAD'))))
  return heads.includes(`ref: ${ref}`) ? null : readLooseRef(commonDir, ref)
}

async function line(file: string): Promise<string | null> {
  const content = await readIfExists(file).catch(() => null)
  return content === null ? null : content.toString('utf8').trim()
}
