/** Work trees for those who need one: made when there is none, handed on when there is, and never with anybody's work still in it. */
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { WorkspaceId } from '../model/work.ts'
import { noteHeadLog } from './dropped-commits.ts'
import { writeExcludes } from './excludes.ts'
import { keepCommits, keepLeftWork, type Keeping } from './left-work.ts'
import type { Place } from './place.ts'
import { expireSetup, provision, type Provisions } from './provision.ts'
import { openSlots, type Lease } from './slots.ts'
import { populateSubmodules } from './submodules.ts'
import { besides, findWorktree, makeWorktree, resetWorktree, type Shelf } from './worktree.ts'
import { forgetWorktrees } from './worktree-link.ts'

export interface TenancyOptions {
  shelf: Shelf
  /** The checkout's: submodules come from there. */
  gitDir: string
  setup: readonly string[]
  mark: (workId: string) => string
  provisions(): Promise<Provisions>
  newestTip(mark: string): Promise<string>
  keeping: Keeping
}

export function createTenancy({ shelf, gitDir, setup, mark, provisions, newestTip, keeping }: TenancyOptions) {
  const slots = openSlots(shelf.folder)
  const places = new Map<WorkspaceId, Place>()
  const about = (id: WorkspaceId) => besides(shelf.folder, slots.of(id))

  const hasOne = (id: WorkspaceId): boolean => {
    const lease = slots.lease(slots.peek(id) ?? '')
    return lease?.workspace === id && lease.held
  }

  async function equip(place: Place, id: WorkspaceId, key: string): Promise<void> {
    await populateSubmodules(place, gitDir, key)
    await provision(place, about(id).stamp, await provisions(), key)
  }

  async function make(id: WorkspaceId, commit: string, key: string): Promise<Place> {
    const place = await makeWorktree(shelf, slots.of(id), commit, key)
    places.set(id, place)
    return place
  }

  /** Says whose it is from now on; until then, it is as it was. */
  const take = async (id: WorkspaceId, place: Place, commit: string, work: string): Promise<void> =>
    slots.note(slots.of(id), {
      workspace: id, held: true, work, head: commit, logged: noteHeadLog(place), beneath: null, settled: true,
    })

  async function amend(id: WorkspaceId, more: Partial<Lease>): Promise<void> {
    const lease = slots.lease(slots.of(id))
    if (lease?.workspace === id) slots.note(slots.of(id), { ...lease, ...more })
  }

  /** The workspace as it was left, mended where it must be; made again when it is gone. */
  async function open(id: WorkspaceId, commit: string | null, key: string): Promise<Place> {
    const onto = async (): Promise<string> => commit ?? (await newestTip(key))
    const found = hasOne(id) ? await findWorktree(shelf, slots.of(id), key, onto) : null
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

  /** Clean at `commit`, whoever was there before; not set up yet. */
  async function put(id: WorkspaceId, commit: string, work: string, key: string): Promise<Place> {
    const place = (await reuse(id, commit, key)) ?? (await make(id, commit, key))
    await take(id, place, commit, work)
    return place
  }

  async function reuse(id: WorkspaceId, commit: string, key: string): Promise<Place | null> {
    const { index, stamp } = about(id)
    const found = existsSync(index) ? await findWorktree(shelf, slots.of(id), key, async () => commit) : null
    if (!found) return null
    places.set(id, found)
    writeExcludes(found, (await provisions()).ignoreRules)
    await expireSetup(found, stamp, setup)
    const lease = slots.lease(slots.of(id))
    try {
      if (lease) await keepLeftWork(found, lease, keeping, key)
      await resetWorktree(found, commit, key)
      return found
    } catch (error) {
      if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_GIT') throw error
      return null
    }
  }

  /** In a work tree that is not whole, there is nothing to be found that could be kept. */
  async function keepAll(key: string): Promise<void> {
    for (const name of slots.names()) {
      const lease = slots.lease(name)
      if (!lease || lease.settled) continue
      const place = await findWorktree(shelf, name, key, async () => lease.head)
      if (place && existsSync(place.index)) await keepLeftWork(place, lease, keeping, key).catch(passOver)
    }
  }

  return {
    open, equip,
    /** Who asks where it is may go and work there. */
    path(id: WorkspaceId): string {
      slots.settle(id, false)
      return about(id).path
    },
    where: (id: WorkspaceId): string => about(id).path,
    place: (id: WorkspaceId): Place | undefined => places.get(id),

    async prepare(id: WorkspaceId, commit: string, work: string, key: string): Promise<void> {
      await equip(await put(id, commit, work, key), id, key)
    },

    /** Before its HEAD goes elsewhere. */
    async keepCommits(id: WorkspaceId, key: string): Promise<void> {
      const [place, lease] = [places.get(id), slots.lease(slots.of(id))]
      if (place && lease?.workspace === id) await keepCommits(place, lease, keeping, key)
    },

    /** Its HEAD is there now. */
    moved: async (id: WorkspaceId, place: Place, head: string): Promise<void> =>
      amend(id, { head, logged: noteHeadLog(place), beneath: null }),

    /** Files of Looper's own making are laid over this tree; null: they are gone again. */
    async cover(id: WorkspaceId, beneath: string | null): Promise<void> {
      if (slots.lease(slots.of(id))?.beneath !== beneath) await amend(id, { beneath })
    },

    /** All that was made there is kept; until somebody goes there again. */
    settle: (id: WorkspaceId): void => slots.settle(id, true),

    async release(id: WorkspaceId): Promise<void> {
      places.delete(id)
      slots.release(id)
    },

    async clean(): Promise<void> {
      await keepAll(mark('clean'))
      await shelf.serially(() => forgetWorktrees(keeping.commonDir, shelf.folder))
      places.clear()
      slots.clear()
      await rmdir(dirname(shelf.folder)).catch(() => {})
    },
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_GIT') throw error
}
