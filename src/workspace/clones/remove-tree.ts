/**
 * Removes work trees and repairs permissions: agents and package managers leave files and folders without the usual
 * rights.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists, ioError } from '../../platform/files.ts'
import { unmountBelow } from '../../platform/mounts.ts'
import { runProcess } from '../../platform/run-process.ts'

/** A link is removed, never followed. Throws when a file system is mounted inside and cannot be unmounted. */
export async function removeTree(path: string): Promise<void> {
  try {
    unmountBelow(path)
  } catch (error) {
    throw ioError(error, path)
  }
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 })
  } catch (error) {
    await removeByForce(path)
    if (ifExists(() => lstatSync(path), path)) throw ioError(error, path)
  }
}

/** These programs descend folder by folder, so paths of any length work. */
const forceScript = 'rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'

async function removeByForce(path: string): Promise<void> {
  await runProcess({
    argv: ['/bin/sh', ...(process.geteuid?.() === process.getuid?.() ? [] : ['-p']), '-c', forceScript, 'rm', path],
    cwd: '/',
    env: process.env,
    timeoutMs: 10 * 60_000,
    keepBytes: 4_096,
  })
}

/** Moves `path` into `folder` under a free name and returns it; null when it cannot be moved. */
export function setAside(path: string, folder: string): string | null {
  const aside = join(folder, `aside-${randomBytes(6).toString('hex')}`)
  mkdirSync(folder, { recursive: true })
  enter(path)
  try {
    renameSync(path, aside)
    return aside
  } catch {
    return null
  }
}

/** Gives the owner full access to a folder. Errors are ignored, because the next operation there reports them. */
export function enter(path: string): void {
  try {
    const found = lstatSync(path)
    if (found.isDirectory() && (found.mode & 0o700) !== 0o700) chmodSync(path, (found.mode & 0o7777) | 0o700)
  } catch {
    // The folder is gone or belongs to another user.
  }
}

/** Best effort: the next operation on the path reports what still fails. */
export async function grantAccess(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found || found.isSymbolicLink()) return
  const needed = found.isDirectory() ? 0o700 : 0o600
  if ((found.mode & needed) !== needed) await chmod(path, (found.mode & 0o7777) | needed).catch(() => {})
  if (found.isDirectory()) for (const name of await readdir(path).catch(() => [])) await grantAccess(join(path, name))
}
