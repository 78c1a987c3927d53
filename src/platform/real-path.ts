/** Resolves a path to its real path, also when the file does not exist yet. */
import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

export function realPath(path: string, links = 40): string {
  const file = attempt(() => realpathSync.native(path))
  if (file !== null) return file
  const target = links === 0 ? null : attempt(() => readlinkSync(path))
  if (target !== null) return realPath(resolve(dirname(path), target), links - 1)
  return path === dirname(path) ? path : join(realPath(dirname(path), links), basename(path))
}

function attempt(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}
