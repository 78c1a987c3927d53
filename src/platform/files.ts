/** Writes files atomically and turns file system errors into LooperErrors with one wording. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LooperError, messageOf } from '../model/error.ts'
import type { ErrorCode } from '../model/error.ts'
import { sweepOnce, temporaryFor } from './temporary-files.ts'

const codes: Record<string, { code: ErrorCode; why: string }> = {
  ENOSPC: { code: 'ENVIRONMENT_DISK_FULL', why: 'no space left on the disk' },
  EDQUOT: { code: 'ENVIRONMENT_DISK_FULL', why: 'the disk quota is used up' },
  EROFS: { code: 'ENVIRONMENT_READ_ONLY', why: 'the file system is read-only' },
  EACCES: { code: 'ENVIRONMENT_READ_ONLY', why: 'permission denied' },
  EMFILE: { code: 'ENVIRONMENT_RESOURCES', why: 'too many open files' },
  ENFILE: { code: 'ENVIRONMENT_RESOURCES', why: 'too many open files on this machine' },
  EPERM: { code: 'ENVIRONMENT_READ_ONLY', why: 'operation not permitted' },
}

/** Converts a file system error to a LooperError; returns a LooperError unchanged. */
export function ioError(error: unknown, path: string): LooperError {
  if (error instanceof LooperError) return error
  const code = errnoOf(error)
  const known = code === null ? undefined : codes[code]
  const why = known?.why ?? messageOf(error)
  return new LooperError(known?.code ?? 'ENVIRONMENT_IO', `${path}: ${why}`, {
    cause: error,
    details: { path, errno: code },
  })
}

/** The errno code, such as `ENOENT`; null when the error has none. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Readers see the old content or the new content, never a mixture, even after a power cut. */
export async function writeAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const temporary = temporaryFor(path)
  try {
    await writeDurably(temporary, data, options.mode ?? 0o666)
    await rename(temporary, path)
    await sweepOnce(dirname(path))
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw ioError(error, path)
  }
}

async function writeDurably(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names in a folder durable. File systems that do not support it are ignored. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error
  } finally {
    await folder.close()
  }
}

/** Null when there is no such file. */
export async function readIfExists(path: string): Promise<Buffer | null> {
  return whenExists(readFile(path), path)
}

/** Waits for an operation on a path; null when there is nothing at that path. */
export async function whenExists<T>(operation: Promise<T>, path: string): Promise<T | null> {
  return operation.catch((error: unknown) => nothingThere(error, path))
}

/**
 * The synchronous variant, faster for small files. Returns null for anything but a plain file and never blocks on a
 * pipe.
 */
export function readNow(path: string): Buffer | null {
  return ifExists(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return fstatSync(file).isFile() ? readFileSync(file) : null
    } finally {
      closeSync(file)
    }
  }, path)
}

export function ifExists<T>(operation: () => T, path: string): T | null {
  try {
    return operation()
  } catch (error) {
    return nothingThere(error, path)
  }
}

function nothingThere(error: unknown, path: string): null {
  if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null
  throw ioError(error, path)
}
