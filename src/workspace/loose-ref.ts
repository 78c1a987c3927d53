/** Reads a branch from its file: refs are read all the time, and starting git takes longer than the reading. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ifExists, readNow } from '../platform/files.ts'

/** Null when only git can tell: packed, or another kind of store. */
export function readLooseRef(commonDir: string, ref: string): string | null {
  const found = readLine(join(commonDir, ref))
  return found !== null && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(found) ? found : null
}

/** The same for a branch, and null also when it is checked out anywhere. */
export function readFreeBranch(commonDir: string, ref: string): string | null {
  const folder = join(commonDir, 'worktrees')
  const linked = ifExists(() => readdirSync(folder), folder) ?? []
  const isThere = (gitDir: string): boolean => readLine(join(gitDir, 'HEAD')) === `ref: ${ref}`
  return [commonDir, ...linked.map((name) => join(folder, name))].some(isThere) ? null : readLooseRef(commonDir, ref)
}

/** Null when it is not there or cannot be read. */
export function readLine(file: string): string | null {
  try {
    return readNow(file)?.toString('utf8').trim() ?? null
  } catch {
    return null
  }
}
