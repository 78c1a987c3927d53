/**
 * Reads a git index without starting git. `git status` rewrites the file when it refreshes times and sizes, so a
 * changed file does not mean a changed index. The digest covers only staged content and flags.
 */
import { createHash } from 'node:crypto'

export interface IndexContent {
  digest: string
  /** Paths in index order. A path in conflict appears once per stage. */
  paths: string[]
}

interface Entry {
  path: string
  /** Mode, object, stage and flags. */
  staged: Buffer
  end: number
}

/** The mode lies between times, sizes and owners of the staged file, which the digest leaves out. */
const modeAt = 24
const objectAt = 40
const extended = 0x4000
const flagBits = 0xb000

/** Null when the bytes are no index of a known version. */
export function parseIndex(bytes: Buffer, objectBytes: 20 | 32 = 20): IndexContent | null {
  const version = bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC' ? 0 : bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const [hash, paths] = [createHash('sha256'), [] as string[]]
  let [at, previous] = [12, '']
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(bytes, at, { version, objectBytes, previous })
    if (entry === null) return null
    hash.update(entry.staged).update(`${entry.path}\0`)
    paths.push(Buffer.from(entry.path, 'latin1').toString('utf8'))
    at = entry.end
    previous = entry.path
  }
  return { digest: hash.digest('hex'), paths }
}

interface Reading {
  version: number
  objectBytes: number
  /** Version 4 entries share a path prefix with the previous entry. */
  previous: string
}

/** Null when the file ends inside the entry. Paths are latin1, which preserves every byte. */
function readEntry(bytes: Buffer, start: number, { version, objectBytes, previous }: Reading): Entry | null {
  const flagsAt = start + objectAt + objectBytes
  if (flagsAt + 4 > bytes.length) return null
  const flags = bytes.readUInt16BE(flagsAt)
  const hasMore = (flags & extended) !== 0
  const nameAt = flagsAt + (hasMore ? 4 : 2)
  const shared = version === 4 ? readOffset(bytes, nameAt) : { value: previous.length, end: nameAt }
  const nameEnd = bytes.indexOf(0, shared.end)
  if (nameEnd === -1) return null
  const name = bytes.toString('latin1', shared.end, nameEnd)
  const staged = Buffer.concat([
    bytes.subarray(start + modeAt, start + modeAt + 4),
    bytes.subarray(start + objectAt, flagsAt),
    Buffer.from([(flags & flagBits) >> 8]),
    hasMore ? bytes.subarray(flagsAt + 2, flagsAt + 4) : Buffer.alloc(2),
  ])
  const path = previous.slice(0, previous.length - shared.value) + name
  return { path, staged, end: version === 4 ? nameEnd + 1 : start + (Math.floor((nameEnd - start) / 8) + 1) * 8 }
}

/** Reads a variable-length number in git's offset encoding for packs. */
function readOffset(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, at] = [0, start]
  for (;;) {
    const byte = bytes[at++] ?? 0
    value += byte & 0x7f
    if ((byte & 0x80) === 0) return { value, end: at }
    value = (value + 1) * 128
  }
}
