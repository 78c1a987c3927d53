/** Lists everything in a folder: exact enough to find every change, and cheap enough to run before each check. */
import { createHash } from 'node:crypto'
import { constants, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

export interface Entry {
  /** Type, mode, size, modification time and inode; for a folder only type and mode. */
  base: string
  /** The ctime, which programs cannot set. For a folder it changes when names are added, removed or replaced. */
  changedMs: number
  folder: boolean
  /** A file with several hard links, as in the store of pnpm or uv. Adding or removing a link changes `changedMs`. */
  linked: boolean
  /** The hash of the content, for linked and recent files only. */
  hash?: string
  /**
   * Written so shortly before the scan that a later change may have the same time. Only the hash detects such a change.
   */
  recent?: true
  /** Created by set-up or `workspace.copy`; all other entries come from the tree. */
  brought?: true
}

/**
 * Keys are paths below the root as bytes (latin1), because names need not be UTF-8. A folder comes before its entries.
 */
export type Manifest = Map<string, Entry>

/** The clones of submodules: the only part of `.git` that is not written again before each use. */
export const modulesFolder = '.git/modules'

/** How many entries are read before the event loop can run other work. */
const batch = 1_000

/** How long a file system may give the same time to two changes. */
export const coarseMs = 20

/** The path as node:fs needs it. Most names are plain, and a text takes less time than bytes. */
export const pathOf = (root: string, path: string): string | Buffer =>
  /[^ -~]/.test(path) ? Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]) : `${root}/${path}`

export interface ScanOptions {
  /** Whether to read the folder. Called before it is opened. */
  enter?: (path: string, entry: Entry) => boolean
  /** An earlier scan. A folder that has not changed since has the same names and files. */
  since?: Since
}

export interface Since {
  manifest: Manifest
  /** The time of that scan. */
  atMs: number
}

/** Lists everything in `root` except `.git`. Throws the errors of node:fs. Links are never followed. */
export async function scan(root: string, { enter = () => true, since }: ScanOptions = {}): Promise<Manifest> {
  const found: Manifest = new Map()
  const known = since && childrenOf(since.manifest)
  const open: string[] = []
  let read = 0
  const add = (path: string, stat: Stats): void => {
    const entry = entryOf(stat)
    found.set(path, entry)
    if (entry.folder && enter(path, entry)) open.push(path)
  }
  add('', lstatSync(root))
  if (hasModules(root)) add(modulesFolder, lstatSync(pathOf(root, modulesFolder)))
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const same = since && isUnchanged(folder, found, since) ? known?.get(folder) : undefined
    for (const [path, entry] of same ?? []) {
      if (entry.folder) add(path, lstatSync(pathOf(root, path)))
      else found.set(path, entry)
    }
    for (const name of same ? [] : readdirSync(pathOf(root, folder), 'latin1')) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (path !== '.git') add(path, lstatSync(pathOf(root, path)))
      if (++read % batch === 0) await setImmediate()
    }
  }
  return found
}

/** Whether there are clones of submodules. If `.git` is a link, it is not followed. */
const hasModules = (root: string): boolean => isFolder(pathOf(root, '.git')) && isFolder(pathOf(root, modulesFolder))

const isFolder = (path: string | Buffer): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * File timestamps are coarse: a folder that changed shortly before the scan may have changed again after it with the
 * same time.
 */
function isUnchanged(folder: string, found: Manifest, { manifest, atMs }: Since): boolean {
  const [now, was] = [found.get(folder), manifest.get(folder)]
  return was?.folder === true && now?.changedMs === was.changedMs && was.changedMs < atMs - coarseMs
}

function childrenOf(manifest: Manifest): Map<string, [string, Entry][]> {
  const children = new Map<string, [string, Entry][]>()
  for (const [path, entry] of manifest) {
    if (entry.folder) children.set(path, [])
    if (path !== '' && path !== modulesFolder) children.get(parentOf(path))?.push([path, entry])
  }
  return children
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export function entryOf(stat: Stats): Entry {
  const folder = stat.isDirectory()
  const base = folder ? String(stat.mode) : `${stat.mode}:${stat.size}:${stat.mtimeMs}:${stat.ino}`
  return { base, changedMs: stat.ctimeMs, folder, linked: stat.isFile() && stat.nlink > 1 }
}

/** Whether the entry is unchanged. Updates the recorded time of a linked file whose content is the same. */
export function isSame(root: string, path: string, was: Entry, now: Entry): boolean {
  if (was.base !== now.base) return false
  const hasSameTime = was.changedMs === now.changedMs
  if (was.folder || (hasSameTime && !was.recent)) return true
  // Only a linked file can get a new ctime without being written.
  if (!hasSameTime && !was.linked) return false
  if (was.hash === undefined || was.hash !== hashOf(root, path, now)) return false
  was.changedMs = now.changedMs
  return true
}

/** The hash of a file's content or of a link's target. */
export function hashOf(root: string, path: string, entry: Entry): string {
  const full = pathOf(root, path)
  return createHash('sha256')
    .update(isLink(entry) ? readlinkSync(full, 'buffer') : readFileSync(full))
    .digest('base64')
}

/** Up to this much is hashed instead of waiting. */
const quickly = { files: 64, bytes: 1024 * 1024 }

/**
 * Ensures that every later change of a file is detectable. When there are too many recent files to hash, it waits until
 * timestamps differ.
 */
export async function settle(root: string, manifest: Manifest): Promise<void> {
  const nowMs = Date.now()
  // Times in the future come from a wrong clock, and waiting does not help.
  const isRecent = ({ changedMs, folder }: Entry): boolean => !folder && Math.abs(nowMs - changedMs) < coarseMs
  const recent = [...manifest].filter(([, entry]) => isRecent(entry))
  if (!isReadQuickly(recent)) {
    await new Promise((resolve) => {
      setTimeout(resolve, coarseMs)
    })
    return
  }
  for (const [path, entry] of recent) Object.assign(entry, { recent: true, hash: hashOf(root, path, entry) })
}

function isReadQuickly(entries: readonly [string, Entry][]): boolean {
  if (entries.length > quickly.files || entries.some(([, entry]) => !isFile(entry) && !isLink(entry))) return false
  return entries.reduce((bytes, [, { base }]) => bytes + Number(base.split(':')[1]), 0) <= quickly.bytes
}

const typeOf = ({ base }: Entry): number => Number.parseInt(base, 10) & constants.S_IFMT
export const isFile = (entry: Entry): boolean => typeOf(entry) === constants.S_IFREG
export const isLink = (entry: Entry): boolean => typeOf(entry) === constants.S_IFLNK
