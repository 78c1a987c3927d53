/** Keeps spare copies of entries: proves those of earlier runs ahead, hands them out, and makes new ones meanwhile. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { acquireLock } from '../../platform/lock.ts'
import { realPath } from '../../platform/real-path.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { sourceOf, type Products } from './entry.ts'
import type { FileList } from '../setup/file-list.ts'
import { addSpare, claimSpare, placeSpare, provenList, removeUnfinished, sparesIn, type Spare } from './spares.ts'

export interface SpareStockOptions {
  /** How many spares are made with an entry: one for each workspace that may want one at the same time. */
  most: number
  /** What all spares of an entry may occupy. */
  bytes: number
  /** Whether the entry is as it was made. Called after it was copied. */
  isIntact(folder: string, entry: Products, mark: string): Promise<boolean>
  /** Called after spares were added. */
  onAdded(): Promise<void>
  /** Aborted: no more are made. */
  signal?: AbortSignal
}

/** A workspace of agents. Claimed spares are put into the folder `aside` first. */
export interface Receiver {
  path: string
  aside: string
  mark: string
}

/** Coders that have their spares start now, and copies would take the processor from them. */
const restMs = 1_000

/** How much may be copied at the end of a run. */
const quickBytes = 512 * 1024 * 1024

export function openSpareStock({ most, bytes, isIntact, onAdded, signal }: SpareStockOptions) {
  const proofs = new Map<string, Promise<FileList | null>>()
  const adding = new Map<string, Promise<void>>()
  const closing = new AbortController()
  /** Workspaces that are getting a spare. New ones are made when all have theirs. */
  let receiving = 0

  const roomFor = (entry: Pick<Products, 'bytes'>): number => Math.floor(bytes / Math.max(1, entry.bytes))
  const wantedFor = (entry: Pick<Products, 'bytes'>): number => Math.min(most, roomFor(entry))
  /** What is left for the next run when this one ends. Its user does not wait for large copies. */
  const leftFor = (entry: Products): number => (entry.bytes * most > quickBytes ? 0 : wantedFor(entry))
  /** One more than the slots need, because the judge at the end of a run takes one too. */
  const keptFor = (entry: Products): number => (most === 0 ? 0 : Math.min(most + 1, roomFor(entry)))

  async function receive(
    spare: string,
    { roots }: Products,
    { path, aside, mark }: Receiver,
  ): Promise<FileList | null> {
    const proof = proofs.get(spare)
    proofs.delete(spare)
    const claimed = claimSpare(spare, aside)
    if (claimed === null) return null
    try {
      const list = (await proof) ?? (await provenList(claimed, roots, mark))
      if (list !== null) placeSpare(claimed, path, roots)
      return list
    } catch {
      for (const root of roots) await removeTree(join(path, root))
      return null
    } finally {
      await removeTree(claimed).catch(() => {})
    }
  }

  async function add(folder: string, entry: Products, mark: string): Promise<void> {
    await delay(restMs, undefined, { signal: closing.signal }).catch(() => {})
    const lock = await acquireLock(`spares:${realPath(folder)}`).catch(() => null)
    if (lock === null) return
    try {
      await removeUnfinished(folder)
      const source = { from: sourceOf(folder), roots: entry.roots, mark, isSound: () => isIntact(folder, entry, mark) }
      const isWanted = (): boolean =>
        sparesIn(folder).length < (closing.signal.aborted ? leftFor(entry) : keptFor(entry))
      while (signal?.aborted !== true && isWanted()) if ((await addSpare(folder, source)) === null) break
      await onAdded()
    } finally {
      await lock.release()
    }
  }

  return {
    wantedFor,

    /** Spares that were listed a moment ago need no proof. */
    accept(spares: readonly Spare[]): void {
      for (const { path, list } of spares) proofs.set(path, Promise.resolve(list))
    },

    /** Starts to prove the spares of the entry, so that workspaces need not wait for it later. */
    prove(folder: string, { roots }: Products, mark: string): void {
      for (const spare of sparesIn(folder)) if (!proofs.has(spare)) proofs.set(spare, provenList(spare, roots, mark))
    },

    /** Puts a spare into the workspace and returns its list; null when there is none. Changed spares are removed. */
    async take(folder: string, entry: Products, receiver: Receiver): Promise<FileList | null> {
      receiving += 1
      try {
        for (const spare of sparesIn(folder)) {
          const list = await receive(spare, entry, receiver)
          if (list !== null) return list
        }
        return null
      } finally {
        receiving -= 1
      }
    },

    /** Makes new spares in the background, unless workspaces still wait for theirs. */
    replenish(folder: string, entry: Products, mark: string): void {
      if (closing.signal.aborted || receiving > 0 || adding.has(folder) || sparesIn(folder).length >= keptFor(entry))
        return
      const added = add(folder, entry, mark).catch(() => {})
      adding.set(folder, added)
      void added.then(() => adding.delete(folder))
    },

    /** Resolves when nothing is being made any more. Those of small entries are completed for the next run. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.all(adding.values())
    },
  }
}
