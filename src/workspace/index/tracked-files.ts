/** Lists the files that git tracks in a checkout without starting git. Null means that the caller must ask git. */
import { join } from 'node:path'
import { gitDirsOf } from '../clones/worktree-link.ts'
import { readIndexFile } from './index-file.ts'

/** Ids of this length are usual; an index with longer ones is not read here. */
const anyId = '0'.repeat(40)

export function trackedFiles(root: string): string[] | null {
  try {
    const index = readIndexFile(join(gitDirsOf(root).gitDir, 'index'), anyId)
    return index && [...index.entries.keys()].map((path) => Buffer.from(path, 'latin1').toString())
  } catch {
    return null
  }
}
