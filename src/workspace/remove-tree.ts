/** Agents and package managers leave files and folders without the usual rights; in a work tree of Looper's they get them back. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, ioError } from '../platform/files.ts'

/** A link is removed, never followed. */
export async function removeTree(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 2 })
  try {
    await remove()
  } catch (error) {
    if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw ioError(error, path)
    await grantAccess(path)
    await remove().catch((again: unknown) => { throw ioError(again, path) })
  }
}

/** Best effort: what still refuses is told by whoever needs it. */
export async function grantAccess(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found || found.isSymbolicLink()) return
  const needed = found.isDirectory() ? 0o700 : 0o600
  if ((found.mode & needed) !== needed) await chmod(path, (found.mode & 0o7777) | needed).catch(() => {})
  if (found.isDirectory()) for (const name of await readdir(path).catch(() => [])) await grantAccess(join(path, name))
}
