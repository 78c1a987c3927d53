/** The worktree pool: gives each workspace a new or reused work tree, after saving the work that is still in it. */
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { SubmoduleWork, WorkspaceId } from '../model/work.ts'
import { errnoOf } from '../platform/files.ts'
import { noteHeadLog } from './dropped-commits.ts'
import { writeExcludes } from './excludes.ts'
import { keepCommits, keepLeftWork, type Keeping } from './left-work.ts'
import type { Place } from './place.ts'
import { expireSetup, keepSetup, provision, type Provisions } from './provision.ts'
import { removeTree } from './remove-tree.ts'
import { worktreesFolder } from './safe-name.ts'
import { openSlots, type Lease } from './slots.ts'
import { dirtySubmodules, keepSubmoduleEdits, leakingSubmodules, populateSubmodules } from './submodules.ts'
import type { Change } from './change.ts'
import { besides, findWorktree, makeWorktree, resetWorktree, type Shelf } from './worktree.ts'
import { forgetWorktrees } from './worktree-link.ts'

export interface WorktreePoolOptions {
  shelf: Shelf
  setup: readonly string[]
  mark: (workId: string) => string
  provisions(): Promise<Provisions>
  newestTip(mark: string): Promise<string>
  keeping: Keeping
}

export function createWorktreePool({ shelf, setup, mark, provisions, newestTip, keeping }: WorktreePoolOptions) {
  const slots = openSlots(shelf.folder)
  const places = new Map<WorkspaceId, Place>()
  const about = (id: WorkspaceId) => besides(shelf.folder, slots.of(id))

  const hasOne = (id: WorkspaceId): boolean => {
    const lease = slots.lease(slots.peek(id) ?? '')
    return lease?.workspace === id && lease.held
  }

  async function equip(place: Place, id: WorkspaceId, key: string): Promise<void> {
    if (await populateSubmodules(place, shelf, key)) expireSetup(about(id), setup)
    await provision(place, about(id), await provisions(), key)
  }

  /** A work tree that cannot be cleared is abandoned for another one. */
  async function make(id: WorkspaceId, commit: string, worthKeeping: boolean, key: string): Promise<Place> {
    for (let n = 0; n < mostAbandoned; n++) {
      const place = await makeWorktree(shelf, slots.of(id), commit, worthKeeping, key)
      if (place) {
        places.set(id, place)
        return place
      }
      slots.abandon(id)
    }
    throw new LooperError('WORKSPACE_GIT', `No workspace can be made: files in ${shelf.folder} cannot be removed.`)
  }

  /** Assigns the work tree to the workspace; takes effect when the lease file is written. */
  const take = async (id: WorkspaceId, place: Place, commit: string, work: string): Promise<void> =>
    slots.note(slots.of(id), {
      workspace: id,
      held: true,
      work,
      head: commit,
      logged: noteHeadLog(place),
      beneath: null,
      settled: true,
    })

  async function amend(id: WorkspaceId, more: Partial<Lease>): Promise<void> {
    const lease = slots.lease(slots.of(id))
    if (lease?.workspace === id) slots.note(slots.of(id), { ...lease, ...more })
  }

  /** Returns the workspace unchanged. A broken `.git` is repaired, and a missing workspace is created again. */
  async function open(id: WorkspaceId, commit: string | null, key: string): Promise<Place> {
    const onto = async (): Promise<string> => commit ?? (await newestTip(key))
    const found = hasOne(id) ? await findWorktree(shelf, slots.of(id), onto) : null
    if (!found) return anew(id, await onto(), key)
    const place: Place = { ...found, usualIndex: places.get(id)?.usualIndex ?? null }
    if (!existsSync(place.excludes)) writeExcludes(place, (await provisions()).ignoreRules)
    places.set(id, place)
    return place
  }

  async function anew(id: WorkspaceId, commit: string, key: string): Promise<Place> {
    const lease = slots.lease(slots.of(id))
    const place = await put(id, commit, lease?.workspace === id ? lease.work : id, key)
    await equip(place, id, key)
    return place
  }

  /** A clean work tree at `commit`, without set-up. */
  async function put(id: WorkspaceId, commit: string, work: string, key: string): Promise<Place> {
    const reused = await reuse(id, commit, key)
    const place = typeof reused === 'string' ? await make(id, commit, reused === 'not kept', key) : reused
    await take(id, place, commit, work)
    return place
  }

  /** `not kept`: it contains work that git could not save. */
  async function reuse(id: WorkspaceId, commit: string, key: string): Promise<Place | 'unusable' | 'not kept'> {
    return reuseFound(id, commit, key).catch((error: unknown) => {
      if (!blocked.has(errnoOf(error) ?? '')) throw error
      return 'unusable'
    })
  }

  async function reuseFound(id: WorkspaceId, commit: string, key: string): Promise<Place | 'unusable' | 'not kept'> {
    const found = existsSync(about(id).index) ? await findWorktree(shelf, slots.of(id), async () => commit) : null
    if (!found) return 'unusable'
    places.set(id, found)
    writeExcludes(found, (await provisions()).ignoreRules)
    const lease = slots.lease(slots.of(id))
    const isKept = lease === null || (await leave(found, lease, key).then(() => true, passOver))
    if (!isKept) return 'not kept'
    const kept = await keepSetup(found, about(id), setup)
    return resetWorktree(found, commit, kept, await shelf.frozen(), key).then(
      () => found,
      (error: unknown) => {
        passOver(error)
        return 'unusable'
      },
    )
  }

  /** Saves everything made there: files, commits, and edits in submodules. */
  async function leave(place: Place, lease: Lease, key: string): Promise<void> {
    await keepLeftWork(place, lease, keeping, key)
    if (!lease.settled) await keepSubmoduleEdits(place, shelf, lease, keeping, key)
  }

  /** Skips incomplete work trees, which contain nothing that could be saved. */
  async function keepAll(key: string): Promise<void> {
    for (const name of slots.names()) {
      const lease = slots.lease(name)
      if (!lease || lease.settled) continue
      const place = await findWorktree(shelf, name, async () => lease.head)
      if (place && existsSync(place.index)) await leave(place, lease, key).catch(passOver)
    }
  }

  return {
    open,
    equip,
    /** Returns the path and marks the work tree as in use. */
    path(id: WorkspaceId): string {
      slots.settle(id, false)
      return about(id).path
    },
    where: (id: WorkspaceId): string => about(id).path,
    place: (id: WorkspaceId): Place | undefined => places.get(id),
    /** The file that lists what set-up created there. */
    manifest: (id: WorkspaceId): string => about(id).manifest,

    async prepare(id: WorkspaceId, commit: string, work: string, key: string): Promise<void> {
      await equip(await put(id, commit, work, key), id, key)
    },

    /** Saves commits and submodule edits before HEAD moves. */
    async keepCommits(id: WorkspaceId, key: string): Promise<void> {
      const [place, lease] = [places.get(id), slots.lease(slots.of(id))]
      if (!place || lease?.workspace !== id) return
      await keepCommits(place, lease, keeping, key)
      await keepSubmoduleEdits(place, shelf, lease, keeping, key)
    },

    async dirtySubmodules(id: WorkspaceId, key: string): Promise<string[]> {
      const [place, lease] = [places.get(id), slots.lease(slots.of(id))]
      return place && lease?.workspace === id ? dirtySubmodules(place, shelf, lease, keeping, key) : []
    },

    /**
     * Saves uncommitted edits in submodules, and reports them together with submodule commits that contain a secret.
     */
    async keepSubmodules(id: WorkspaceId, changes: readonly Change[], key: string): Promise<SubmoduleWork[]> {
      const [place, lease] = [places.get(id), slots.lease(slots.of(id))]
      if (!place || lease?.workspace !== id) return []
      const leaking = await leakingSubmodules(place, shelf, changes, keeping, key)
      return [
        ...leaking.map((path): SubmoduleWork => ({ kind: 'secret', path })),
        ...(await keepSubmoduleEdits(place, shelf, lease, keeping, key)),
      ]
    },

    /** Records that HEAD is at `head` now. */
    moved: async (id: WorkspaceId, place: Place, head: string): Promise<void> =>
      amend(id, { head, logged: noteHeadLog(place), beneath: null }),

    /** Records that Looper's own files are laid over this tree; null: they are removed again. */
    async cover(id: WorkspaceId, beneath: string | null): Promise<void> {
      if (slots.lease(slots.of(id))?.beneath !== beneath) await amend(id, { beneath })
    },

    /** Records that all work in it is saved. `path` reverses that. */
    settle: (id: WorkspaceId): void => slots.settle(id, true),

    async release(id: WorkspaceId): Promise<void> {
      places.delete(id)
      slots.release(id)
    },

    async clean(): Promise<void> {
      await keepAll(mark('clean'))
      await shelf.serially(async () => {
        await forgetWorktrees(shelf.commonDir, worktreesFolder(shelf.root, keeping.run))
        // Files that cannot be removed are left for `looper clean`.
        await removeTree(shelf.folder).catch(() => {})
      })
      places.clear()
      slots.clear()
      await rmdir(dirname(shelf.folder)).catch(() => {})
    },
  }
}

/** Error codes for files that an agent, or a mount of an agent, has made inaccessible. */
const blocked = new Set([
  'EACCES',
  'EPERM',
  'EBUSY',
  'EROFS',
  'ENAMETOOLONG',
  'ELOOP',
  'ENOTEMPTY',
  'ENOTDIR',
  'EISDIR',
  'ENOENT',
])

/** If this many work trees in a row cannot be cleared, the folder itself is the problem. */
const mostAbandoned = 5

/** Returns false for errors of git, which the caller can do without, and throws all others. */
function passOver(error: unknown): false {
  if (error instanceof LooperError && ['WORKSPACE_GIT', 'WORKSPACE_CONTENT'].includes(error.code)) return false
  throw error
}
