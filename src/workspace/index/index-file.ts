/**
 * Reads and writes Looper's own index of a work tree without starting git, byte for byte as git does. This is only an
 * optimization: null means an unusual index, for which the caller must ask git.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, readFileSync } from 'node:fs'
import { openPlainFile } from '../../platform/plain-file.ts'

/** One file of the index. */
export interface Staged {
  mode: number
  object: string
  /** Times, device, inode, mode, owner and size, in the 40 bytes that git keeps of them. */
  stat: Buffer
}

export interface IndexFile {
  /** Keys are paths as bytes (latin1), in the order of git. */
  entries: Map<string, Staged>
  /** The trees of folders that git knows; the root is ''. */
  trees: Map<string, string>
  /** When the index was written. */
  writtenNs: bigint
}

/** Larger indexes are left to git, which reads them in a process of its own. */
const mostBytes = 128 * 1024
const headBytes = 12
const statBytes = 40
const regular = new Set([0o100644, 0o100755, 0o120000])
/** Only the length of the name may be in the flags: no stage, nothing assumed, no further flags. */
const nameBits = 0x0fff

/** Attributes determine how git converts, compares and counts files. */
export const isAttributes = (path: string): boolean => /(?:^|\/)\.gitattributes$/i.test(path)

export const hasAttributes = ({ entries }: IndexFile): boolean => [...entries.keys()].some(isAttributes)

/** Whether the index is small enough to be read here. */
export const isSmall = (path: string): boolean =>
  (lstatSync(path, { throwIfNoEntry: false })?.size ?? Infinity) <= mostBytes

/** `like` is an id of the repository; its length determines the hash function. */
export function readIndexFile(path: string, like: string): IndexFile | null {
  let file: number | undefined
  try {
    file = openPlainFile(path, 'read')
    const { size, mtimeNs } = fstatSync(file, { bigint: true })
    if (size > BigInt(mostBytes)) return null
    const parsed = parseIndexFile(readFileSync(file), like.length / 2)
    return parsed && { ...parsed, writtenNs: mtimeNs }
  } catch {
    return null
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Whether the checksum of an index of any size is right, or git left it out (`index.skipHash`). Git does not check. */
export function isWholeIndex(path: string): boolean {
  let file: number | undefined
  try {
    file = openPlainFile(path, 'read')
    const bytes = readFileSync(file)
    return (['sha1', 'sha256'] as const).some((hash) => hasChecksum(bytes, hash))
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function hasChecksum(bytes: Buffer, hash: 'sha1' | 'sha256'): boolean {
  const end = bytes.length - (hash === 'sha1' ? 20 : 32)
  const written = bytes.subarray(Math.max(0, end))
  const isRight = written.equals(createHash(hash).update(bytes.subarray(0, end)).digest())
  return end >= headBytes && (isRight || written.every((byte) => byte === 0))
}

function parseIndexFile(bytes: Buffer, idBytes: number): Omit<IndexFile, 'writtenNs'> | null {
  if (bytes.length < headBytes + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  if (bytes.readUInt32BE(4) !== 2) return null
  const entries = new Map<string, Staged>()
  const end = bytes.length - idBytes
  let at = headBytes
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const nameAt = at + statBytes + idBytes + 2
    const nameEnd = bytes.indexOf(0, nameAt)
    if (nameEnd < nameAt || nameEnd >= end) return null
    const mode = bytes.readUInt32BE(at + 24)
    const isUsual = bytes.readUInt16BE(nameAt - 2) === Math.min(nameEnd - nameAt, nameBits) && regular.has(mode)
    if (!isUsual) return null
    const object = bytes.toString('hex', at + statBytes, nameAt - 2)
    entries.set(bytes.toString('latin1', nameAt, nameEnd), { mode, object, stat: bytes.subarray(at, at + statBytes) })
    at += paddedLength(nameEnd - at)
  }
  const trees = readExtensions(bytes, at, end, idBytes)
  return trees && { entries, trees }
}

/** Each entry ends with one to eight zero bytes. */
const paddedLength = (length: number): number => (Math.floor(length / 8) + 1) * 8

/** Extensions with a capital first letter may be ignored; the others change what the entries mean. */
function readExtensions(bytes: Buffer, start: number, end: number, idBytes: number): Map<string, string> | null {
  let trees = new Map<string, string>()
  for (let at = start; at < end;) {
    if (at + 8 > end) return null
    const name = bytes.toString('latin1', at, at + 4)
    const next = at + 8 + bytes.readUInt32BE(at + 4)
    if (next > end || !/^[A-Z]/.test(name)) return null
    if (name === 'TREE') trees = readTrees(bytes.subarray(at + 8, next), idBytes)
    at = next
  }
  return trees
}

/** Each tree is a name, a zero byte, `<files> <folders>\n` and, unless the number of files is -1, its id. */
function readTrees(bytes: Buffer, idBytes: number): Map<string, string> {
  const trees = new Map<string, string>()
  let at = 0
  const read = (parent: string | null): void => {
    const [nameEnd, lineEnd] = [bytes.indexOf(0, at), bytes.indexOf('\n', at)]
    if (nameEnd < 0 || lineEnd < nameEnd) throw new Error('the list of trees ends too early')
    const name = bytes.toString('latin1', at, nameEnd)
    const path = parent === null ? '' : parent === '' ? name : `${parent}/${name}`
    const [files = -1, folders = 0] = bytes
      .toString('latin1', nameEnd + 1, lineEnd)
      .split(' ')
      .map(Number)
    at = lineEnd + 1
    if (files >= 0) {
      trees.set(path, bytes.toString('hex', at, at + idBytes))
      at += idBytes
    }
    for (let left = folders; left > 0; left--) read(path)
  }
  if (bytes.length > 0) read(null)
  return trees
}

/** The bytes of an index with these entries, which are sorted here. */
export function encodeIndexFile({ entries, trees }: Pick<IndexFile, 'entries' | 'trees'>, like: string): Buffer {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const head = Buffer.alloc(headBytes)
  head.write('DIRC', 'latin1')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(sorted.length, 8)
  const listed = sorted.map(([path, entry]) => encodeEntry(path, entry))
  const paths = sorted.map(([path]) => path)
  const body = Buffer.concat([head, ...listed, encodeTrees(paths, trees)])
  return Buffer.concat([
    body,
    createHash(like.length === 64 ? 'sha256' : 'sha1')
      .update(body)
      .digest(),
  ])
}

function encodeEntry(path: string, { object, stat }: Staged): Buffer {
  const length = statBytes + object.length / 2 + 2 + path.length
  const bytes = Buffer.alloc(paddedLength(length))
  stat.copy(bytes)
  bytes.write(object, statBytes, 'hex')
  bytes.writeUInt16BE(Math.min(path.length, nameBits), statBytes + object.length / 2)
  bytes.write(path, statBytes + object.length / 2 + 2, 'latin1')
  return bytes
}

interface Folder {
  /** The number of files in it and below. */
  files: number
  folders: Map<string, Folder>
}

/** A folder whose tree is not known is written as such, and git works it out when it needs it. */
function encodeTrees(paths: readonly string[], trees: ReadonlyMap<string, string>): Buffer {
  const root: Folder = { files: 0, folders: new Map() }
  for (const path of paths) {
    let folder = root
    for (const name of path.split('/').slice(0, -1)) {
      folder.files += 1
      const inner = folder.folders.get(name) ?? { files: 0, folders: new Map<string, Folder>() }
      folder.folders.set(name, inner)
      folder = inner
    }
    folder.files += 1
  }
  const encode = (name: string, path: string, { files, folders }: Folder): Buffer[] => {
    const id = trees.get(path)
    const line = `${name}\0${id === undefined ? -1 : files} ${folders.size}\n`
    // Git finds a folder by the length of its name first.
    const inner = [...folders].toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    const below = inner.flatMap(([each, folder]) => encode(each, path === '' ? each : `${path}/${each}`, folder))
    return [Buffer.from(line, 'latin1'), Buffer.from(id ?? '', 'hex'), ...below]
  }
  const bytes = Buffer.concat(encode('', '', root))
  const head = Buffer.from('TREE\0\0\0\0', 'latin1')
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, bytes])
}
