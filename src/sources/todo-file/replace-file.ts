/** Replaces a backlog file atomically, and never overwrites a change that another writer has just made. */
import { existsSync, fstatSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { errnoOf, ioError, syncFolder } from '../../platform/files.ts'
import { stampOf, stillThere, type Read } from './read-file.ts'

const leftoverMs = 10 * 60 * 1000
const mostTries = 20

/** Retries while other writers change the file, up to a limit. `attempt` returns null when the file has changed. */
export async function untilWritten<T>(name: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries++) {
    const done = await attempt()
    if (done !== null) return done
  }
  throw new LooperError('ENVIRONMENT_SOURCE', `${name}: is changed again and again while Looper writes it`, {
    hint: 'Try again when it is left alone.',
  })
}

/**
 * Writes a new text in place of `known`, or a new file when `known` is null. Returns null and writes nothing when the
 * file has changed since. A symbolic link, the mode and the owner are preserved.
 */
export async function replaceFile(path: string, source: string, known: Read | null): Promise<Read | null> {
  let temporary: string | null = null
  let file: FileHandle | null = null
  try {
    if (known !== null && stillThere(path, known) === null) return null
    const target = known === null ? path : realpathSync(path)
    await sweepLeftovers(target)
    temporary = join(
      dirname(target),
      `${leftoverPrefix(target)}${process.pid}-${Math.random().toString(36).slice(2, 10)}`,
    )
    file = await writeLike(target, temporary, source)
    if (!(known === null ? createNew(temporary, path) : swap(temporary, target, path, known))) return null
    const stamp = stampOf(fstatSync(file.fd, { bigint: true }))
    await syncFolder(dirname(target))
    return { source, stamp, rested: false }
  } catch (error) {
    throw refusal(ioError(error, path))
  } finally {
    await file?.close()
    if (temporary !== null) await rm(temporary, { force: true })
  }
}

/** The new file is created beside the old one, so the folder must be writable. */
function refusal(error: LooperError): LooperError {
  const { code, message, details } = error
  if (code !== 'ENVIRONMENT_READ_ONLY') return error
  return new LooperError(code, message, {
    cause: error,
    details,
    hint: 'Looper needs to write in the folder of the backlog.',
  })
}

async function writeLike(target: string, temporary: string, source: string): Promise<FileHandle> {
  const facts = statSync(target, { throwIfNoEntry: false })
  const file = await open(temporary, 'wx', facts === undefined ? 0o666 : facts.mode & 0o777)
  try {
    if (facts !== undefined) {
      // Only a privileged user can change the owner; any other user usually is the owner.
      await file.chown(facts.uid, facts.gid).catch(() => {})
      await file.chmod(facts.mode & 0o7777)
    }
    await file.writeFile(source)
    await file.sync()
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Synchronous, so that no code of this process runs between the last check and the rename, and the window for other
 * processes is minimal.
 */
function swap(temporary: string, target: string, path: string, known: Read): boolean {
  if (stillThere(path, known) === null) return false
  renameSync(temporary, target)
  return true
}

/**
 * Creates the file only when there is none. A hard link never overwrites a file; without hard links, check for the file
 * first.
 */
function createNew(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path)
    rmSync(temporary)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' || existsSync(path)) return false
    renameSync(temporary, path)
  }
  return true
}

const leftoverPrefix = (target: string): string => `.${basename(target)}.tmp-`

/** Removes temporary files of processes that were killed while writing. */
async function sweepLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(leftoverPrefix(target)))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > leftoverMs) await rm(path, { force: true }).catch(() => {})
  }
}
