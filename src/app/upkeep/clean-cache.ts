/** `looper clean --cache`: removes the stored products of set-up that no live run uses. */
import type { PreparedCacheClean } from '../../api/upkeep.ts'
import type { CacheCleaning } from '../../views/history/cache-cleaning.ts'
import { listStore, removeEntry, removeLeftovers, type StoreEntry } from '../../workspace/products/store-contents.ts'
import { storeFolders } from '../../workspace/workspaces-folder.ts'
import type { AppContext } from '../context.ts'
import { configuredFolder } from './clean-leftovers.ts'

type UserHome = Pick<AppContext, 'env' | 'home'>

/** All entries of this machine's stores: those of the cache folder, and of the folder that is configured here. */
export const storedEntries = (context: UserHome, root: string): StoreEntry[] =>
  storeFolders(configuredFolder(context, root), context.env).flatMap(listStore)

export async function prepareCacheClean(context: UserHome, root: string): Promise<PreparedCacheClean> {
  const found = storedEntries(context, root)
  const free = found.filter(({ inUse }) => !inUse)
  const used = found.filter(({ inUse }) => inUse)
  return {
    plan: resultOf(free, used, true),
    async perform() {
      const removed: StoreEntry[] = []
      const kept = [...used]
      for (const entry of free) {
        const isRemoved = await removeEntry(entry.folder)
        if (isRemoved) removed.push(entry)
        else kept.push(entry)
      }
      for (const store of storeFolders(configuredFolder(context, root), context.env)) await removeLeftovers(store)
      return resultOf(removed, kept, false)
    },
  }
}

function resultOf(removed: readonly StoreEntry[], kept: readonly StoreEntry[], dryRun: boolean): CacheCleaning {
  const rowOf = ({ folder, bytes, usedMs }: StoreEntry): CacheCleaning['removed'][number] => ({
    entry: folder,
    bytes,
    usedAt: usedMs === 0 ? null : new Date(usedMs).toISOString(),
  })
  const sum = (entries: readonly StoreEntry[]): number => entries.reduce((total, { bytes }) => total + bytes, 0)
  return {
    dryRun,
    of: 'cache',
    removed: removed.map(rowOf),
    kept: kept.map((entry) => ({ ...rowOf(entry), why: 'a live run uses it' })),
    freedBytes: sum(removed),
    totalBytes: sum(removed) + sum(kept),
  }
}
