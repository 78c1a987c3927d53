/**
 * An entry of the store: the products of one set-up with a digest of their list. The list has the name, type, mode,
 * size, times and inode of every file. No program can set the time of change, so every later write to the entry is
 * found.
 */
import { createHash } from 'node:crypto'
import { constants, lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readNow } from '../../platform/files.ts'
import { pathOf } from '../clones/manifest.ts'
import { replaceFile } from '../clones/work-tree.ts'
import { sortedLines } from '../setup/file-list.ts'
import { archiveOf, isArchive } from './archive.ts'
import { listWithFind } from './list-files.ts'

export interface Products {
  /** The topmost paths that set-up created. */
  roots: string[]
  bytes: number
  digest: string
  /** The text of `.git/config` before and after set-up; null when it did not change. */
  gitConfig: { before: string; after: string } | null
}

/** `bound`: why set-up has to run in each workspace. */
export type StoredEntry = { bound: string } | Products

/** Entries of another version count as damaged. */
const version = 2

export const filesOf = (folder: string): string => join(folder, 'files')

/** Where the products are copied from: an archive, or a folder. */
export const sourceOf = (folder: string): string => (isArchive(archiveOf(folder)) ? archiveOf(folder) : filesOf(folder))

const listOf = (folder: string): string => join(folder, 'entry.json')

const sizeFile = (folder: string): string => join(folder, 'bytes')

export function writeEntry(folder: string, entry: StoredEntry): void {
  replaceFile(sizeFile(folder), String('bytes' in entry ? entry.bytes : 0))
  replaceFile(listOf(folder), JSON.stringify({ version, ...entry }))
}

/** The disk space of one copy. The list of an entry can be long, so the number has a file of its own. */
export function readBytes(folder: string): number {
  try {
    return Number(readNow(sizeFile(folder))?.toString('utf8')) || 0
  } catch {
    return 0
  }
}

/** Null when there is none, or its list cannot be read. */
export function readEntry(folder: string): StoredEntry | null {
  try {
    const found: unknown = JSON.parse(readNow(listOf(folder))?.toString('utf8') ?? 'null')
    if (typeof found !== 'object' || found === null || !('version' in found) || found.version !== version) return null
    if ('bound' in found && typeof found.bound === 'string') return { bound: found.bound }
    return isProducts(found) ? found : null
  } catch {
    return null
  }
}

function isProducts(found: object): found is Products {
  const { roots, bytes, digest, gitConfig }: Partial<Products> = found
  const isPath = (path: unknown): boolean => typeof path === 'string' && !path.split('/').includes('..')
  return (
    Array.isArray(roots)
    && roots.every(isPath)
    && typeof bytes === 'number'
    && typeof digest === 'string'
    && (gitConfig === null || (typeof gitConfig?.before === 'string' && typeof gitConfig.after === 'string'))
  )
}

/** How many files are read before the event loop can run other work. */
const batch = 1_000

/** The digest of the list of everything in the entry. The time of change of a folder says nothing about its files. */
export async function digestOf(folder: string, mark: string): Promise<string> {
  if (isArchive(archiveOf(folder))) return digestOfArchive(archiveOf(folder))
  const text = await listWithFind(folder, [basename(filesOf(folder))], mark)
  if (text === null) return digestWithNode(folder)
  const facts = sortedLines(text.replace(/(^|\0)(d \d+)(?: [\d.]+){5}/g, '$1$2'))
  return createHash('sha256').update(facts.join('\0'), 'latin1').digest('hex')
}

function digestOfArchive(archive: string): string {
  const { ino, mode, size, mtimeNs, ctimeNs } = lstatSync(archive, { bigint: true })
  return createHash('sha256').update([ino, mode, size, mtimeNs, ctimeNs].join(':')).digest('hex')
}

async function digestWithNode(folder: string): Promise<string> {
  const root = filesOf(folder)
  const hash = createHash('sha256')
  const open = ['']
  let read = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const name of readdirSync(pathOf(root, at), 'latin1').toSorted()) {
      const path = at === '' ? name : `${at}/${name}`
      const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(pathOf(root, path))
      const isFolder = (mode & constants.S_IFMT) === constants.S_IFDIR
      if (isFolder) open.push(path)
      hash.update(`${path}\0${mode}${isFolder ? '' : `:${size}:${mtimeMs}:${ctimeMs}:${ino}`}\0`, 'latin1')
      if (++read % batch === 0) await setImmediate()
    }
  }
  return hash.digest('hex')
}
