/** What worktrees need to know of a run, and the store of set-up products that its settings ask for. */
import { defaultCacheMb, type Config } from '../model/config.ts'
import type { IsClean } from './clones/clean-history.ts'
import type { CommitWording } from './landing/commit-message.ts'
import { openProductStore } from './products/product-store.ts'
import { mostEntries } from './products/store-contents.ts'
import type { Provisions } from './setup/provision.ts'
import { checkoutKey, storeFolder } from './workspaces-folder.ts'

export interface WorktreeOptions extends Pick<
  Provisions,
  'env' | 'withheld' | 'own' | 'mask' | 'signal' | 'sandbox' | 'onSetup'
> {
  root: string
  /** The run's folder, which contains the git directory of Looper's own git. */
  runDir: string
  run: string
  branch: string
  /** The commit the run starts from. */
  base: string
  workspace: Config['workspace']
  /** How commits are worded; absent: as usual. */
  wording?: CommitWording
  /** The backlog file, relative to the root. It belongs to the user, so it is never part of a change. */
  backlog?: string
  /** The set-up commands in effect: configured or discovered. */
  setup: readonly string[]
  /** The maximum number of parallel checks. Each has a verification workspace. */
  checksParallel?: number
  /** The maximum number of parallel tasks. Each has a workspace. */
  parallel?: number
  /** The user's own environment, which determines the cache folder. */
  userEnv?: NodeJS.ProcessEnv
  /** Whether a text contains no secret; absent when no secrets are known. */
  isClean?: IsClean
  mark: (workId: string) => string
  /** There is no run: `runDir` is a temporary folder, and nothing is written to the checkout. */
  isScratch?: boolean
}

/** More workspaces than this are seldom wanted at once. */
const mostSpares = 8

/** Null when the user keeps no products. */
export function productsOf(root: string, folder: string, base: string, options: WorktreeOptions) {
  const { workspace, parallel = 0, signal } = options
  const { cacheMb = defaultCacheMb } = workspace
  if (cacheMb === 0) return null
  const limits = { bytes: cacheMb * 1024 * 1024, entries: mostEntries }
  const place = { store: storeFolder(folder), checkout: checkoutKey(root) }
  return {
    base,
    store: openProductStore({
      ...place,
      limits,
      spares: Math.min(parallel, mostSpares),
      ...(signal ? { signal } : {}),
    }),
  }
}
