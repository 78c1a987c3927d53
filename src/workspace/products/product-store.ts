/**
 * The store of set-up products. The first workspace that needs a key runs set-up and publishes the result; all others
 * wait for it and get copies. A store is shared by the runs of a machine and outlives them.
 */
import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { readNow } from '../../platform/files.ts'
import type { Lock } from '../../platform/lock.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { scan, type Manifest } from '../clones/manifest.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { nothingListed, type FileList } from '../setup/file-list.ts'
import { copyProducts } from './copy-products.ts'
import { digestOf, readEntry, sourceOf, type Products } from './entry.ts'
import { recordUse } from './entry-users.ts'
import { listFiles } from './list-files.ts'
import { publish } from './publish.ts'
import { openSpareStock } from './spare-stock.ts'
import { discardEntry, lockEntry, trimStore, type StoreLimits } from './store-contents.ts'

export interface StoreOptions {
  /** The folder of all entries, and the name of this checkout in it. */
  store: string
  checkout: string
  limits: StoreLimits
  /** How many spare copies of an entry are kept; none when absent. */
  spares?: number
  signal?: AbortSignal
}

/** A workspace with a clean tree, its submodules and its copied files, but without products. */
export interface Wanted {
  key: string
  path: string
  mark: string
  /** Paths of an earlier set-up. Products may replace them. */
  replaced?: readonly string[]
  /** A folder beside the workspace of agents, on the same file system. Absent: it gets no spare. */
  aside?: string
}

/** `unusable`: set-up has to run in the workspace itself. */
type Taken = { kind: 'taken'; list: FileList } | 'absent' | 'unusable'

const isTaken = (taken: Taken): taken is Extract<Taken, object> => typeof taken === 'object'

interface Made {
  isStored: boolean
  /** Everything in the workspace after set-up; null when it was not listed. */
  found: Manifest | null
}

const nothingMade: Made = { isStored: false, found: null }

const pollMs = 100

export function openProductStore({ store, checkout, limits, spares = 0, signal }: StoreOptions) {
  /** Entries that this process makes. */
  const flights = new Map<string, Promise<Made>>()
  const elsewhere = new Map<string, Promise<unknown>>()
  /** Digests that have not begun, and the last that began. */
  const digests = new Map<string, Promise<string | null>>()
  const reading = new Map<string, Promise<string | null>>()
  const folderOf = (key: string): string => join(store, checkout, key)
  const stock = openSpareStock({
    most: spares,
    bytes: limits.bytes / 4,
    isIntact: async (folder, { digest }, mark) => (await digestNow(folder, mark)) === digest,
    onAdded: () => trimStore(store, limits),
    signal,
  })

  /** The digest of the entry at a moment after the call; null when it cannot be read. Callers at one time share it. */
  function digestNow(folder: string, mark: string): Promise<string | null> {
    const known = digests.get(folder)
    if (known) return known
    // Later callers wait for the one under way, and then for a digest that begins after their call.
    const next = (reading.get(folder) ?? Promise.resolve()).then(() => {
      digests.delete(folder)
      const digest = digestOf(folder, mark).catch(() => null)
      reading.set(folder, digest)
      return digest
    })
    digests.set(folder, next)
    return next
  }

  /** Compares after the copy, so that a write before or during the copy is found. */
  async function take({ key, path, mark, replaced = [], aside }: Wanted): Promise<Taken> {
    const folder = folderOf(key)
    const entry = readEntry(folder)
    if (entry === null) return 'absent'
    recordUse(folder)
    if ('bound' in entry || !fits(path, entry, replaced)) return 'unusable'
    const remove = async (): Promise<void> => {
      for (const root of entry.roots) await removeTree(join(path, root))
    }
    await remove()
    const configure = (): void => {
      if (entry.gitConfig) writeFileSync(configOf(path), entry.gitConfig.after)
    }
    const list = aside === undefined ? null : await stock.take(folder, entry, { path, aside, mark })
    if (aside !== undefined) stock.replenish(folder, entry, mark)
    if (list !== null) {
      configure()
      return { kind: 'taken', list }
    }
    const isCopied = await copyProducts(sourceOf(folder), path, entry.roots, mark)
    const isIntact = (await digestNow(folder, mark)) === entry.digest
    if (isCopied && isIntact) {
      configure()
      // Agents change their workspaces, so what was copied is recorded. Others are listed by the caller.
      const copied = aside === undefined ? nothingListed : await listFiles(path, entry.roots, mark)
      return { kind: 'taken', list: copied }
    }
    await remove()
    // When the disk is full, set-up in the workspace reports it.
    if (isIntact) return 'unusable'
    await discardEntry(folder)
    return 'absent'
  }

  /** Runs set-up while no other process makes the same entry. */
  async function make(wanted: Wanted, run: () => Promise<void>): Promise<Made> {
    const folder = folderOf(wanted.key)
    const lock = await waitForLock(folder)
    if (lock === null) {
      await run()
      return nothingMade
    }
    try {
      const taken = await take(wanted)
      if (isTaken(taken)) return { isStored: true, found: null }
      const before = { manifest: await scan(wanted.path), gitConfig: configText(wanted.path) }
      await run()
      if (taken === 'unusable') return nothingMade
      const newConfig = configText(wanted.path)
      const published = await publish(folder, wanted, { ...before, newConfig, sparesFor: stock.wantedFor })
      if (published === null) return nothingMade
      stock.accept(published.spares)
      await trimStore(store, limits)
      return { isStored: true, found: published.found }
    } finally {
      await lock.release()
    }
  }

  /** Null when the store cannot be used, or the run is being stopped. */
  async function waitForLock(folder: string): Promise<Lock | null> {
    try {
      makeFolder(join(store, checkout), 0o700)
      for (;;) {
        const lock = await lockEntry(folder)
        if (lock !== null) return lock
        await delay(pollMs, undefined, { signal })
      }
    } catch {
      return null
    }
  }

  /** Has the entry made once, however often it is asked for meanwhile. */
  async function ensure(key: string, mark: string, makeThem: () => Promise<unknown>): Promise<void> {
    const known = flights.get(key) ?? elsewhere.get(key)
    const entry = known === undefined ? readEntry(folderOf(key)) : null
    if (entry !== null) {
      if ('roots' in entry) stock.prove(folderOf(key), entry, mark)
      return
    }
    const making = known ?? makeThem()
    if (known === undefined) elsewhere.set(key, making)
    try {
      await making
    } finally {
      if (elsewhere.get(key) === making) elsewhere.delete(key)
    }
  }

  return {
    /**
     * Puts products into a workspace that no agent has entered: copies, or those of `run`, which are published then.
     * Throws what `run` throws, also when another workspace ran it. Returns everything in the workspace; null when
     * it was not listed.
     */
    async bring(wanted: Wanted, run: () => Promise<void>): Promise<Manifest | null> {
      const taken = await take(wanted)
      if (taken === 'unusable') await run()
      if (taken !== 'absent') return null
      const flight = flights.get(wanted.key)
      if (flight === undefined) {
        const made = make(wanted, run)
        flights.set(wanted.key, made)
        return (await made.finally(() => flights.delete(wanted.key))).found
      }
      if (!(await flight).isStored || !isTaken(await take(wanted))) await run()
      return null
    },

    /**
     * Copies products into a workspace of agents. When there are none, `makeThem` has them made in another workspace.
     * Null when set-up has to run in the workspace itself. Throws WORKSPACE_SETUP when set-up fails in the other one.
     * Returns the files that are listed already.
     */
    async copyInto(wanted: Wanted, makeThem: () => Promise<unknown>): Promise<FileList | null> {
      const taken = await take(wanted)
      if (taken !== 'absent') return isTaken(taken) ? taken.list : null
      await ensure(wanted.key, wanted.mark, makeThem).catch((error: unknown) => {
        if (error instanceof LooperError && error.code === 'WORKSPACE_SETUP') throw error
      })
      const later = await take(wanted)
      return isTaken(later) ? later.list : null
    },

    ensure,

    /** Whether the products are there or being made. */
    has: (key: string): boolean => flights.has(key) || elsewhere.has(key) || readEntry(folderOf(key)) !== null,

    /** Resolves when the store is not written any more. */
    close: stock.close,
  }
}

export type ProductStore = ReturnType<typeof openProductStore>

const configOf = (path: string): string => join(path, '.git', 'config')
const configText = (path: string): string => readNow(configOf(path))?.toString('utf8') ?? ''

/**
 * Whether the products can be put there: their folders exist, nothing of the tree is in the way, and git has the
 * configuration that set-up found.
 */
function fits(path: string, { roots, gitConfig }: Products, replaced: readonly string[]): boolean {
  const replaceable = new Set(replaced.map((root) => root.replace(/\/$/, '')))
  const statOf = (name: string) => lstatSync(join(path, name), { throwIfNoEntry: false })
  const hasPlace = (root: string): boolean => {
    const names = root.split('/').slice(0, -1)
    return names.every((_, at) => statOf(names.slice(0, at + 1).join('/'))?.isDirectory() === true)
  }
  const isFree = (root: string): boolean => statOf(root) === undefined || replaceable.has(root)
  if (gitConfig !== null && configText(path) !== gitConfig.before) return false
  return roots.every((root) => hasPlace(root) && isFree(root))
}
