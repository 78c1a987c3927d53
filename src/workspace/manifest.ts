/** A list of everything in a folder: exact enough to find every change, cheap enough to make before each check. */
import { createHash } from 'node:crypto'
import { constants, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

export interface Entry {
  /** Type, mode, size, time of change and inode. Of a folder: type and mode. */
  base: string
  /** The time that no program can set. Of a folder it says whether names were added, removed or replaced. */
  changedMs: number
  folder: boolean
  /** A file with several names, as from the store of pnpm or uv: each name that comes or goes changes `changedMs`. */
  linked: boolean
  /** The content of a linked file, and of a recent one. */
  hash?: string
  /**
   * Written so shortly before it was listed that a change may have the same time: only the content says whether it is
   * the same.
   */
  recent?: true
  /** Set-up or `workspace.copy` brought it; everything else comes from the tree. */
  brought?: true
}

/** Paths below the root as bytes (latin1), because names need not be UTF-8. A folder comes before what is in it. */
export type Manifest = Map<string, Entry>

/** Where git keeps the clones of submodules: the one part of `.git` that is not written again before each use. */
export const modulesFolder = '.git/modules'

/** How many entries are read before other work of the process gets its turn. */
const batch = 1_000

/** The path for a call of node:fs. */
export const pathOf = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])

export interface ScanOptions {
  /** Whether to read the folder. Called before it is opened. */
  enter?: (path: string, entry: Entry) => boolean
  /** A folder that has not changed since this list was made holds the same names and files. */
  since?: Since
}

export interface Since {
  manifest: Manifest
  /** When it was made. */
  atMs: number
}

/** Lists what is in `root`, without `.git`. Throws what node:fs throws; links are never followed. */
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

/** Whether there are clones of submodules. A link in the place of `.git` leads elsewhere and is not followed. */
const hasModules = (root: string): boolean => isFolder(pathOf(root, '.git')) && isFolder(pathOf(root, modulesFolder))

const isFolder = (path: Buffer): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The clock of files is coarse: a folder changed shortly before the list was made may have changed again since. */
const coarseMs = 20

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

/** Whether the entry is what it was. Records the new time of a linked file whose content is the same. */
export function isSame(root: string, path: string, was: Entry, now: Entry): boolean {
  if (was.base !== now.base) return false
  const hasSameTime = was.changedMs === now.changedMs
  if (was.folder || (hasSameTime && !was.recent)) return true
  // Only a linked file can get a new time without having been written.
  if (!hasSameTime && !was.linked) return false
  if (was.hash === undefined || was.hash !== hashOf(root, path, now)) return false
  was.changedMs = now.changedMs
  return true
}

/** Of a file's content, or of where a link leads. */
export function hashOf(root: string, path: string, entry: Entry): string {
  const full = pathOf(root, path)
  return createHash('sha256')
    .update(isLink(entry) ? readlinkSync(full, 'buffer') : readFileSync(full))
    .digest('base64')
}

/** As much as this is read rather than waited for. */
const quickly = { files: 64, bytes: 1024 * 1024 }

/** From now on every change of a file shows. Where too many files are recent to be read, that takes a moment. */
export async function settle(root: string, manifest: Manifest): Promise<void> {
  const nowMs = Date.now()
  // Files from the future are those of a wrong clock, which no waiting puts right.
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
const isFile = (entry: Entry): boolean => typeOf(entry) === constants.S_IFREG
const isLink = (entry: Entry): boolean => typeOf(entry) === constants.S_IFLNK
