/** Replaces the file of a backlog as a whole, and never over what somebody else has just written. */
import { existsSync, fstatSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { errnoOf, ioError, syncFolder } from '../../platform/files.ts'
import { stampOf, stillThere, type Read } from './read-file.ts'

const leftoverMs = 10 * 60 * 1000
const mostTries = 20

/** Tries again while the file is changed in between, but not for ever. `attempt` yields null when it was. */
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
 * Puts a new text where `known` was read, or where nothing was. Null, and nothing done, when that is not there any more
 * as it was. A symbolic link stays one; mode and owner stay as they are.
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
    if (!(known === null ? place(temporary, path) : swap(temporary, target, path, known))) return null
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

/** The new file comes into being beside the old one. */
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
      // Only who may give files away can keep the owner, and who cannot is the owner most of the time.
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
 * Synchronous, so that nothing of ours comes between the last look and the rename, and of others as little as can be.
 */
function swap(temporary: string, target: string, path: string, known: Read): boolean {
  if (stillThere(path, known) === null) return false
  renameSync(temporary, target)
  return true
}

/** Where nothing must be. A link is never made over a file; where there are none, a look before has to do. */
function place(temporary: string, path: string): boolean {
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

/** Of a process that was killed while it wrote. */
async function sweepLeftovers(target: string): Promise<void> {
  const folder = dirname(target)
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(leftoverPrefix(target)))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > leftoverMs) await rm(path, { force: true }).catch(() => {})
  }
}
