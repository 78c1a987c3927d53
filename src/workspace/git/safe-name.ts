/** Converts ids to names of folders and refs: the name never leaves its folder and is always a legal ref. */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const safe = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/
const reserved = /\.\.|\.$|\.lock$|^(tip|strays|set-aside|checkpoints)$/i

/** Safe names are unchanged. Others get a hash, so that different ids stay different. */
export function safeName(id: string): string {
  if (safe.test(id) && !reserved.test(id)) return id
  const readable = id
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${readable || 'x'}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
}

/** The folder in which earlier versions kept the linked work trees of a run, as a real path like git records it. */
export const worktreesFolder = (root: string, run: string): string =>
  join(realPath(join(root, '.looper', 'worktrees')), safeName(run))

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return join(realPath(dirname(path)), basename(path))
  }
}
