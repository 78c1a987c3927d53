/** Publishes the products of a set-up. An entry is put together beside its place and renamed: it is whole or absent. */
import { readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFolder } from '../../platform/make-folder.ts'
import { coarseMs, parentOf, scan, type Manifest } from '../clones/manifest.ts'
import { compare } from '../clones/pristine.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { copyProducts } from './copy-products.ts'
import { digestOf, filesOf, writeEntry, type StoredEntry } from './entry.ts'
import { recordUse } from './entry-users.ts'
import { findBinding } from './portable.ts'
import { addSpare, sparesAfterMove, type Spare } from './spares.ts'
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
    makeFolder(filesOf(making), 0o700)
    const after = await scan(path)
    const spares: Spare[] = []
    const entry = await collect(making, path, { ...before, after, spares }, mark)
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

/** Copies the products into the entry. Null when that failed. */
async function collect(
  making: string,
  path: string,
  before: Before & { after: Manifest; spares: Spare[] },
  mark: string,
): Promise<StoredEntry | null> {
  const { after } = before
  const { added, changed, missing } = await compare(path, before.manifest, after)
  const touched = [...changed, ...missing][0]
  if (touched !== undefined) return { bound: `set-up changes ${touched}` }
  const products: Manifest = new Map(added.flatMap((name) => [[name, after.get(name)] as const]).filter(isListed))
  const roots = added.filter((name) => !products.has(parentOf(name)))
  const named = roots.map((root) => Buffer.from(root, 'latin1').toString())
  if (named.some((name, at) => Buffer.from(name).toString('latin1') !== roots[at]))
    return { bound: 'a name is not UTF-8' }
  for (const name of named) makeFolder(join(filesOf(making), dirname(name)), 0o700)
  const bytes = [...products.values()].reduce((sum, { base, folder }) => sum + (folder ? 4096 : sizeOf(base)), 0)
  const addSpares = Array.from({ length: before.sparesFor({ bytes }) }, () =>
    addSpare(making, { from: path, roots: named, mark }).then((spare) => spare && before.spares.push(spare)),
  )
  const [isCopied, binding] = await Promise.all([
    copyProducts(path, filesOf(making), named, mark),
    findBinding(path, products, named, mark),
    // Workspaces wait for them, so they are made at the same time.
    ...addSpares,
  ])
  if (binding !== null) return { bound: binding }
  if (!isCopied) return null
  // A later write must have another time than the list.
  await delay(coarseMs)
  const digest = await digestOf(making, mark)
  const { gitConfig, newConfig } = before
  const config = gitConfig === newConfig ? null : { before: gitConfig, after: newConfig }
  return { roots: named, bytes, digest, gitConfig: config }
}

const isListed = <T>(entry: readonly [string, T | undefined]): entry is readonly [string, T] => entry[1] !== undefined

/** Disk space comes in blocks. */
const sizeOf = (base: string): number => Math.ceil(Number(base.split(':')[1]) / 4096) * 4096
