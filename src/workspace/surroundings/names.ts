/** Names a changed path or ref for display. */
import { join } from 'node:path'

interface Roots {
  root: string
  home: string
  gitDir: string
  commonDir: string
}

/** Paths in the repository are relative to its root, others to the home folder. Refs keep their name. */
export function nameOf(path: string, { root, home, gitDir, commonDir }: Roots): string {
  if (path === join(commonDir, 'logs/refs/stash')) return 'refs/stash'
  const from = (folder: string, prefix: string): string | null =>
    path.startsWith(`${folder}/`) ? `${prefix}${path.slice(folder.length + 1)}` : null
  return from(gitDir, '.git/') ?? from(commonDir, '.git/') ?? from(root, '') ?? from(home, '~/') ?? path
}
