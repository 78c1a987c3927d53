/** Reads a backlog file defensively: it may be of any type, and may change at any time. */
import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { LooperError } from '../../model/error.ts'
import { errnoOf } from '../../platform/files.ts'

/** Identifies one state of a file. */
export interface Stamp {
  dev: bigint
  ino: bigint
  size: bigint
  mtimeNs: bigint
  ctimeNs: bigint
}

export interface Read {
  /** Includes the byte order mark, if there is one. */
  source: string
  stamp: Stamp
  /**
   * Whether the file was unchanged for a while when it was read: two changes in quick succession can have the same
   * stamp.
   */
  rested: boolean
}

const maxBytes = 100 * 1024 * 1024
/** Longer than the timestamp resolution of any file system. */
const restMs = 100n

const elsewhere = 'Move it away, or name another file.'

export const backlogError = (
  name: string,
  message: string,
  options: { hint?: string; details?: Record<string, unknown> } = {},
): LooperError => new LooperError('CONFIG_BACKLOG', `${name}: ${message}`, options)

/**
 * Returns null when the file does not exist. Throws CONFIG_BACKLOG when it cannot be a backlog and ENVIRONMENT_IO when
 * it cannot be read.
 */
export function readBacklog(path: string, name: string): Read | null {
  let file: number
  try {
    // O_NONBLOCK: opening a pipe would block until it has a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return refused(error, path, name)
  }
  try {
    return readFrom(file, name)
  } catch (error) {
    throw error instanceof LooperError ? error : unreadable(error, name)
  } finally {
    closeSync(file)
  }
}

function readFrom(file: number, name: string): Read {
  const facts = fstatSync(file, { bigint: true })
  if (!facts.isFile())
    throw backlogError(name, facts.isDirectory() ? 'is a folder, not a file' : 'is not a regular file', {
      hint: elsewhere,
    })
  if (facts.size > maxBytes)
    throw backlogError(name, `is larger than ${maxBytes / 1024 / 1024} MB`, {
      hint: 'Split it, or move what is done elsewhere.',
    })
  const bytes = readFileSync(file)
  if (!isUtf8(bytes)) throw backlogError(name, 'is not UTF-8 text', { hint: 'Save it as UTF-8.' })
  const stamp = stampOf(facts)
  return {
    source: bytes.toString('utf8'),
    stamp,
    rested: isRested(stamp) && sameStamp(stamp, stampOf(fstatSync(file, { bigint: true }))),
  }
}

export const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp => ({
  dev,
  ino,
  size,
  mtimeNs,
  ctimeNs,
})

const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.dev === b.dev

const isRested = ({ ctimeNs }: Stamp): boolean => BigInt(Date.now()) - ctimeNs / 1_000_000n > restMs

function refused(error: unknown, path: string, name: string): null {
  const errno = errnoOf(error)
  if (errno === 'ELOOP') throw backlogError(name, 'is a symbolic link that leads in a circle', { hint: elsewhere })
  if (errno === 'ENXIO' || errno === 'ENODEV') throw backlogError(name, 'is not a regular file', { hint: elsewhere })
  if (errno !== 'ENOENT' && errno !== 'ENOTDIR') throw unreadable(error, name)
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw backlogError(name, 'is a symbolic link to a file that does not exist', { hint: elsewhere })
  }
  return null
}

function unreadable(error: unknown, name: string): LooperError {
  const errno = errnoOf(error)
  const why = errno === 'EACCES' || errno === 'EPERM' ? 'permission denied' : (errno ?? String(error))
  return new LooperError('ENVIRONMENT_IO', `${name}: cannot be read: ${why}`, {
    cause: error,
    hint: 'Fix the disk or the permissions of the file.',
  })
}

/** Returns the read with a fresh stamp when the file is unchanged; null when it has changed or cannot be read. */
export function stillThere(path: string, known: Read): Read | null {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (facts === undefined || !sameStamp(stampOf(facts), known.stamp)) return null
    if (known.rested) return known
    const again = readBacklog(path, '')
    return again?.source === known.source ? again : null
  } catch {
    return null
  }
}
