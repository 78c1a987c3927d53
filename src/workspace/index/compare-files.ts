/**
 * Compares the files of a work tree with Looper's index of it, as git does and without starting it. This is only an
 * optimization: false or null means that something differs or is unknown, so the caller must ask git.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { readPlainBytes } from '../../platform/plain-file.ts'
import { coarseMs, pathOf } from '../clones/manifest.ts'
import type { IndexFile, Staged } from './index-file.ts'
import type { Others } from './staged-snapshot.ts'

/** More entries than these are left to git, which reads them in a process of its own. */
const mostEntries = 1_000
/** Limits of reading. Content is read only of files so recent that their times do not show every change. */
const mostRead = { files: 64, bytes: 1024 * 1024 }
const low32Bits = 0xffff_ffffn
const billion = 1_000_000_000n
const coarseNs = BigInt(coarseMs) * 1_000_000n

/** The 40 bytes that git keeps of a file's state. */
export function encodeStat(stat: BigIntStats, mode: number): Buffer {
  const numbers = [
    stat.ctimeNs / billion,
    stat.ctimeNs % billion,
    stat.mtimeNs / billion,
    stat.mtimeNs % billion,
    stat.dev,
    stat.ino,
    BigInt(mode),
    stat.uid,
    stat.gid,
    stat.size,
  ]
  const bytes = Buffer.alloc(40)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(Number(number & low32Bits), at * 4)
  return bytes
}

/**
 * Whether every file of the index is there and unchanged since the index was written. A file below a link is not there,
 * even if it is the same file.
 */
export const areUnchanged = (root: string, index: IndexFile): boolean => findDifferent(root, index, 0)?.length === 0

/** The files of the index that are gone or changed since; null when they are more than `most` or cannot be told. */
export function findDifferent(root: string, index: IndexFile, most: number): string[] | null {
  if (index.entries.size > mostEntries || !hasFolders(root, index)) return null
  const different: string[] = []
  let [files, bytes] = [0, 0]
  for (const [path, staged] of index.entries) {
    const stat = lstatSync(pathOf(root, path), { bigint: true, throwIfNoEntry: false })
    const isSame = stat !== undefined && hasSameState(stat, staged)
    if (isSame && isOlder(stat, index.writtenNs)) continue
    if (isSame) {
      files += 1
      bytes += Number(stat.size)
      if (files > mostRead.files || bytes > mostRead.bytes) return null
      if (hasContent(root, path, staged)) continue
    }
    different.push(path)
    if (different.length > most) return null
  }
  return different
}

/** Whether every folder of the index is a folder and no link to one. */
function hasFolders(root: string, index: IndexFile): boolean {
  for (const folder of foldersOf(index)) if (folder !== '' && !isFolder(pathOf(root, folder))) return false
  return true
}

const isFolder = (path: string | Buffer): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The device is left out, as git does: it is another one after a restart of some machines. */
function hasSameState(stat: BigIntStats, { mode, stat: was }: Staged): boolean {
  const isLink = mode === 0o120000
  if (isLink ? !stat.isSymbolicLink() : !stat.isFile()) return false
  if (!isLink && (stat.mode & 0o100n) !== BigInt(mode & 0o100)) return false
  return (
    isIn(was, 0, stat.ctimeNs / billion)
    && isIn(was, 4, stat.ctimeNs % billion)
    && isIn(was, 8, stat.mtimeNs / billion)
    && isIn(was, 12, stat.mtimeNs % billion)
    && isIn(was, 20, stat.ino)
    && was.readUInt32BE(24) === mode
    && isIn(was, 28, stat.uid)
    && isIn(was, 32, stat.gid)
    && isIn(was, 36, stat.size)
  )
}

const isIn = (bytes: Buffer, at: number, number: bigint): boolean =>
  bytes.readUInt32BE(at) === Number(number & low32Bits)

/** Any later change has another time than this one. */
const isOlder = ({ mtimeNs, ctimeNs }: BigIntStats, writtenNs: bigint): boolean =>
  (mtimeNs > ctimeNs ? mtimeNs : ctimeNs) + coarseNs < writtenNs

/** A file that a filter converts has other content than its object; git has to compare it. */
function hasContent(root: string, path: string, { mode, object }: Staged): boolean {
  const full = pathOf(root, path)
  const content = mode === 0o120000 ? readlinkSync(full, 'buffer') : readPlainBytes(full, mostRead.bytes)
  if (content === null) return false
  const hash = createHash(object.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === object
}

/**
 * Everything in the work tree except `.git`, the files of the index and their folders. `isLeftOut` says which paths are
 * skipped; it gets folders with a slash at the end. Null when there are too many.
 */
export function findOthers(root: string, index: IndexFile, isLeftOut: (path: string) => boolean): Others | null {
  const folders = foldersOf(index)
  const others = new Map<string, string>()
  const open = ['']
  let left = 2 * mostEntries
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(pathOf(root, folder), { withFileTypes: true, encoding: 'latin1' })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (--left < 0) return null
      if (path === '.git' || index.entries.has(path)) continue
      if (isLeftOut(entry.isDirectory() ? `${path}/` : path)) continue
      if (!entry.isDirectory()) others.set(path, fingerprint(pathOf(root, path)))
      else if (!folders.has(path)) others.set(path, folderPrint)
      if (entry.isDirectory()) open.push(path)
    }
  }
  return others
}

/** The folders that contain a file of the index. */
export function foldersOf({ entries }: IndexFile): Set<string> {
  const folders = new Set<string>([''])
  for (const path of entries.keys())
    for (let at = path.lastIndexOf('/'); at > 0 && !folders.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at))
  return folders
}

/** Of a folder, only its files are compared. */
export const folderPrint = 'folder'

/**
 * Equal fingerprints mean the same file with the same content. A file that was written a moment ago gets one that never
 * repeats, because a further change may leave its times as they are.
 */
export function fingerprint(path: string | Buffer): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return ''
  const isRecent = Math.abs(Date.now() - Number(stat.ctimeMs)) < coarseMs
  const state = `${stat.mode}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
  return isRecent ? `${state}:${performance.now()}` : state
}
