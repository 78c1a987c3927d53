/** Compares a few files with their blobs. Git would do the same after its own start, which takes as long as many files. */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import type { IndexTimes } from './index-times.ts'
import { isLink, pathOf, sizeOf, type Manifest } from './manifest.ts'

/** With more than this, git is as quick. */
const most = { files: 64, bytes: 4 * 1024 * 1024 }

export const areFew = (paths: readonly string[], manifest: Manifest): boolean =>
  paths.length <= most.files && paths.reduce((sum, path) => sum + sizeOf(manifest.get(path)), 0) <= most.bytes

/** Files whose content is not that of the blob in the index. Attributes and filters make it differ, too. */
export const unlikeBlobs = (
  root: string, paths: readonly string[], manifest: Manifest, index: Pick<IndexTimes, 'ids'>,
): string[] => paths.filter((path) => index.ids.get(path) !== blobId(root, path, manifest, index))

/** Null when the file cannot be read any more. */
function blobId(root: string, path: string, manifest: Manifest, { ids }: Pick<IndexTimes, 'ids'>): string | null {
  const [full, entry] = [pathOf(root, path), manifest.get(path)]
  try {
    const content = entry && isLink(entry) ? readlinkSync(full, 'buffer') : readFileSync(full)
    const hash = createHash(ids.get(path)?.length === 64 ? 'sha256' : 'sha1')
    return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
  } catch {
    return null
  }
}
