/** Reads a branch from its file, because refs are read often and starting git takes longer than reading. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ifExists, readNow } from '../../platform/files.ts'

/** Null when only git can read the ref: it is packed or in another kind of store. */
export function readLooseRef(commonDir: string, ref: string): string | null {
  const found = readLine(join(commonDir, ref))
  return found !== null && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(found) ? found : null
}

/** Like `readLooseRef` for a branch; also null when the branch is checked out in any work tree. */
export function readFreeBranch(commonDir: string, ref: string): string | null {
  const folder = join(commonDir, 'worktrees')
  const linked = ifExists(() => readdirSync(folder), folder) ?? []
  const isThere = (gitDir: string): boolean => readLine(join(gitDir, 'HEAD')) === `ref: ${ref}`
  return [commonDir, ...linked.map((name) => join(folder, name))].some(isThere) ? null : readLooseRef(commonDir, ref)
}

/** Null when the file is missing or cannot be read. */
export function readLine(file: string): string | null {
  try {
    return readNow(file)?.toString('utf8').trim() ?? null
  } catch {
    return null
  }
}
