/** Publishes the products of a set-up. An entry is put together beside its place and renamed: it is whole or absent. */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFolder } from '../../platform/make-folder.ts'
import { coarseMs, scan, type Manifest } from '../clones/manifest.ts'
import { compare } from '../clones/pristine.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { archiveOf, clonesFiles, packProducts } from './archive.ts'
import { copyProducts } from './copy-products.ts'
import { digestOf, filesOf, sourceOf, writeEntry, type StoredEntry } from './entry.ts'
import { recordUse } from './entry-users.ts'
import { findBinding } from './portable.ts'
import { addSpare, areFolders, sparesAfterMove, type Spare } from './spares.ts'
import { discardEntry, makingFolder } from './store-contents.ts'

/** The workspace before set-up, its git configuration before and after, and the number of spares to make. */
export interface Before {
  manifest: Manifest
  gitConfig: string
  newConfig: string
  sparesFor(entry: { bytes: number }): number
}

/** Everything in the workspace after set-up, and the spares of the entry. Null: nothing was published. */
export type Published = { found: Manifest; spares: Spare[] } | null

/**
 * The caller holds the lock of the entry. Nothing is published when the disk is full for example. The workspace is only
 * read.
 */
export async function publish(
  folder: string,
  { path, mark }: { path: string; mark: string },
  before: Before,
): Promise<Published> {
  const making = makingFolder(folder)
  try {
    await removeTree(making)
    makeFolder(making, 0o700)
    const roots = await rootsOf(path, before.manifest)
    const isPackable = Array.isArray(roots) && areFolders(path, roots) && !clonesFiles(making)
    const packing = isPackable ? packProducts(path, making, roots, mark) : null
    const [packed, after] = await Promise.all([packing, scan(path)])
    const products: Manifest = new Map([...after].filter(([name]) => !before.manifest.has(name)))
    // `tar` leaves out sockets, for example.
    const isPacked = packed === products.size
    if (!isPacked) rmSync(archiveOf(making), { force: true })
    const spares: Spare[] = []
    const entry = Array.isArray(roots)
      ? await collect(making, path, { ...before, products, roots, isPacked, spares }, mark)
      : roots
    if (entry === null) throw new Error('The products could not be copied.')
    if ('bound' in entry) for (const name of readdirSync(making)) await removeTree(join(making, name))
    writeEntry(making, entry)
    recordUse(making)
    await discardEntry(folder)
    renameSync(making, folder)
    return { found: after, spares: 'bound' in entry ? [] : sparesAfterMove(spares, folder) }
  } catch {
    await removeTree(making).catch(() => {})
    return null
  }
}

/** The topmost paths that set-up created, or why the products cannot be stored. New folders are not entered. */
async function rootsOf(path: string, before: Manifest): Promise<string[] | { bound: string }> {
  const found = await scan(path, { enter: (name) => before.has(name) })
  const { added, changed, missing } = await compare(path, before, found)
  const touched = [...changed, ...missing][0]
  if (touched !== undefined) return { bound: `set-up changes ${touched}` }
  const roots = added.map((name) => Buffer.from(name, 'latin1').toString())
  const isText = roots.every((name, at) => Buffer.from(name).toString('latin1') === added[at])
  return isText ? roots : { bound: 'a name is not UTF-8' }
}

interface Found extends Before {
  /** Everything that set-up created, and its topmost paths. */
  products: Manifest
  roots: string[]
  /** The archive of the entry has all of them. */
  isPacked: boolean
  /** Receives the spares. */
  spares: Spare[]
}

/** Copies the products into the entry. Null when that failed. */
async function collect(making: string, path: string, found: Found, mark: string): Promise<StoredEntry | null> {
  const { products, roots, isPacked, spares, gitConfig, newConfig } = found
  if (!isPacked) for (const root of roots) makeFolder(join(filesOf(making), dirname(root)), 0o700)
  const bytes = [...products.values()].reduce((sum, { base, folder }) => sum + (folder ? 4096 : sizeOf(base)), 0)
  const from = isPacked ? sourceOf(making) : path
  const addSpares = Array.from({ length: found.sparesFor({ bytes }) }, () =>
    addSpare(making, { from, roots, mark }).then((spare) => spare && spares.push(spare)),
  )
  const [isCopied, binding] = await Promise.all([
    isPacked || copyProducts(path, filesOf(making), roots, mark),
    findBinding(path, products, roots, mark),
    // Workspaces wait for them, so they are made at the same time.
    ...addSpares,
  ])
  if (binding !== null) return { bound: binding }
  if (!isCopied) return null
  // A later write must have another time than the list.
  await delay(coarseMs)
  const digest = await digestOf(making, mark)
  const config = gitConfig === newConfig ? null : { before: gitConfig, after: newConfig }
  return { roots, bytes, digest, gitConfig: config }
}

/** Disk space comes in blocks. */
const sizeOf = (base: string): number => Math.ceil(Number(base.split(':')[1]) / 4096) * 4096
