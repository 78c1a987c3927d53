/** What people call a path or ref that changed. */
import { join } from 'node:path'

interface Places {
  root: string
  home: string
  gitDir: string
  commonDir: string
}

/** Parts of the repository are named from its root, others from the home folder. Refs are named already. */
export function nameOf(path: string, { root, home, gitDir, commonDir }: Places): string {
  if (path === join(commonDir, 'logs/refs/stash')) return 'refs/stash'
  const from = (folder: string, prefix: string): string | null =>
    path.startsWith(`${folder}/`) ? `${prefix}${path.slice(folder.length + 1)}` : null
  return from(gitDir, '.git/') ?? from(commonDir, '.git/') ?? from(root, '') ?? from(home, '~/') ?? path
}
