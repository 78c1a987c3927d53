/** The worktree pool: gives each workspace a new or reused work tree, after saving the work that is still in it. */
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LooperError } from '../../model/error.ts'
import type { LeftOutside, SubmoduleWork, WorkspaceId } from '../../model/work.ts'
import { errnoOf } from '../../platform/files.ts'
import { recordHeadLog } from './dropped-commits.ts'
import { writeExcludes } from './excludes.ts'
import { keepCommits, keepLeftWork, type Keeping } from './left-work.ts'
import type { WorkTree } from './work-tree.ts'
import { expireSetup, keepSetup, provision, type Provisioning, type Provisions } from '../setup/provision.ts'
import { removeTree } from './remove-tree.ts'
import { worktreesFolder } from '../git/safe-name.ts'
import { openLeases, type Lease } from './leases.ts'
import { leakingSubmodules } from './submodule-commits.ts'
import { keepSubmoduleEdits, submodulesOutside } from './submodule-edits.ts'
import { populateSubmodules } from './submodules.ts'
import type { Change } from '../git/change.ts'
import { besides, findWorktree, makeWorktree, resetWorktree, type Shelf, type Target } from './worktree.ts'
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
  const leases = openLeases(shelf.folder)
  const workTrees = new Map<WorkspaceId, WorkTree>()
  /** Paths of the workspace's work tree; takes one when the workspace has none. */
  const pathsOf = (id: WorkspaceId) => besides(shelf.folder, leases.acquire(id))

  const isHeld = (id: WorkspaceId): boolean => {
    const lease = leases.lease(leases.current(id) ?? '')
    return lease?.workspace === id && lease.held
  }

  async function equip(workTree: WorkTree, id: WorkspaceId, provisioning: Provisioning, key: string): Promise<void> {
    if (await populateSubmodules(workTree, shelf, key)) expireSetup(pathsOf(id), setup)
    await provision(workTree, pathsOf(id), await provisions(), provisioning, key)
  }

  /** A work tree that cannot be cleared is abandoned for another one. */
  async function make(id: WorkspaceId, target: Target, worthKeeping: boolean, key: string): Promise<WorkTree> {
    for (let n = 0; n < mostAbandoned; n++) {
      const workTree = await makeWorktree(shelf, leases.acquire(id), target, worthKeeping, key)
      if (workTree) {
        workTrees.set(id, workTree)
        return workTree
      }
      leases.abandon(id)
    }
    throw new LooperError('WORKSPACE_GIT', `No workspace can be made: files in ${shelf.folder} cannot be removed.`)
  }

  /** Assigns the work tree to the workspace; takes effect when the lease file is written. */
  const assign = async (id: WorkspaceId, workTree: WorkTree, commit: string, work: string): Promise<void> =>
    leases.record(leases.acquire(id), {
      workspace: id,
      held: true,
      work,
      head: commit,
      logged: recordHeadLog(workTree),
      beneath: null,
      settled: true,
    })

  async function updateLease(id: WorkspaceId, more: Partial<Lease>): Promise<void> {
    const lease = leases.lease(leases.acquire(id))
    if (lease?.workspace === id) leases.record(leases.acquire(id), { ...lease, ...more })
  }

  /** Returns the workspace unchanged. A broken `.git` is repaired, and a missing workspace is created again. */
  async function open(id: WorkspaceId, commit: string | null, key: string): Promise<WorkTree> {
    const onto = async (): Promise<string> => commit ?? (await newestTip(key))
    const found = isHeld(id) ? await findWorktree(shelf, leases.acquire(id), onto) : null
    if (!found) return recreate(id, await onto(), key)
    const workTree: WorkTree = { ...found, usualIndex: workTrees.get(id)?.usualIndex ?? null }
    if (!existsSync(workTree.excludes)) writeExcludes(workTree, (await provisions()).ignoreRules)
    workTrees.set(id, workTree)
    return workTree
  }

  async function recreate(id: WorkspaceId, commit: string, key: string): Promise<WorkTree> {
    const lease = leases.lease(leases.acquire(id))
    const workTree = await obtain(id, commit, lease?.workspace === id ? lease.work : id, key)
    await equip(workTree, id, { commit, setsUp: true }, key)
    return workTree
  }

  /** A clean work tree at `commit`, without set-up. */
  async function obtain(id: WorkspaceId, commit: string, work: string, key: string): Promise<WorkTree> {
    const target = { commit, tree: await keeping.treeOf(commit, key) }
    const reused = await reuse(id, target, key)
    const workTree = typeof reused === 'string' ? await make(id, target, reused === 'not kept', key) : reused
    await assign(id, workTree, commit, work)
    return workTree
  }

  /** `not kept`: it contains work that git could not save. */
  async function reuse(id: WorkspaceId, target: Target, key: string): Promise<WorkTree | 'unusable' | 'not kept'> {
    return reuseFound(id, target, key).catch((error: unknown) => {
      if (!blocked.has(errnoOf(error) ?? '')) throw error
      return 'unusable'
    })
  }

  async function reuseFound(id: WorkspaceId, target: Target, key: string): Promise<WorkTree | 'unusable' | 'not kept'> {
    const found = existsSync(pathsOf(id).index)
      ? await findWorktree(shelf, leases.acquire(id), async () => target.commit)
      : null
    if (!found) return 'unusable'
    workTrees.set(id, found)
    writeExcludes(found, (await provisions()).ignoreRules)
    const lease = leases.lease(leases.acquire(id))
    const isKept = lease === null || (await leave(found, lease, key).then(() => true, ignoreGitError))
    if (!isKept) return 'not kept'
    const kept = await keepSetup(found, pathsOf(id), await provisions(), key)
    return resetWorktree(found, target, kept, await shelf.frozen(), key).then(
      () => found,
      (error: unknown) => {
        ignoreGitError(error)
        return 'unusable'
      },
    )
  }

  /** Saves everything made there: files, commits, and edits in submodules. */
  async function leave(workTree: WorkTree, lease: Lease, key: string): Promise<void> {
    await keepLeftWork(workTree, lease, keeping, key)
    if (!lease.settled) await keepSubmoduleEdits(workTree, shelf, lease, keeping, key)
  }

  /** Skips incomplete work trees, which contain nothing that could be saved. */
  async function keepAll(key: string): Promise<void> {
    for (const name of leases.names()) {
      const lease = leases.lease(name)
      if (!lease || lease.settled) continue
      const workTree = await findWorktree(shelf, name, async () => lease.head)
      if (workTree && existsSync(workTree.index)) await leave(workTree, lease, key).catch(ignoreGitError)
    }
  }

  return {
    open,
    equip,
    /** Returns the path and marks the work tree as in use. */
    path(id: WorkspaceId): string {
      leases.settle(id, false)
      return pathsOf(id).path
    },
    where: (id: WorkspaceId): string => pathsOf(id).path,
    workTree: (id: WorkspaceId): WorkTree | undefined => workTrees.get(id),
    /** The file that lists what set-up created there. */
    manifest: (id: WorkspaceId): string => pathsOf(id).manifest,

    async prepare(id: WorkspaceId, commit: string, work: string, setsUp: boolean, key: string): Promise<WorkTree> {
      const workTree = await obtain(id, commit, work, key)
      await equip(workTree, id, { commit, setsUp }, key)
      return workTree
    },

    /** Saves commits and submodule edits before HEAD moves. */
    async keepCommits(id: WorkspaceId, key: string): Promise<void> {
      const [workTree, lease] = [workTrees.get(id), leases.lease(leases.acquire(id))]
      if (!workTree || lease?.workspace !== id) return
      await keepCommits(workTree, lease, keeping, key)
      await keepSubmoduleEdits(workTree, shelf, lease, keeping, key)
    },

    async submodulesOutside(id: WorkspaceId, key: string): Promise<LeftOutside[]> {
      const [workTree, lease] = [workTrees.get(id), leases.lease(leases.acquire(id))]
      return workTree && lease?.workspace === id ? submodulesOutside(workTree, shelf, lease, keeping, key) : []
    },

    /**
     * Saves uncommitted edits in submodules, and reports them together with submodule commits that contain a secret.
     */
    async keepSubmodules(id: WorkspaceId, changes: readonly Change[], key: string): Promise<SubmoduleWork[]> {
      const [workTree, lease] = [workTrees.get(id), leases.lease(leases.acquire(id))]
      if (!workTree || lease?.workspace !== id) return []
      const leaking = await leakingSubmodules(workTree, shelf, changes, keeping, key)
      return [
        ...leaking.map((path): SubmoduleWork => ({ kind: 'secret', path })),
        ...(await keepSubmoduleEdits(workTree, shelf, lease, keeping, key)),
      ]
    },

    /** Records that HEAD is at `head` now. */
    moved: async (id: WorkspaceId, workTree: WorkTree, head: string): Promise<void> =>
      updateLease(id, { head, logged: recordHeadLog(workTree), beneath: null }),

    /** Records that Looper's own files are laid over this tree; null: they are removed again. */
    async cover(id: WorkspaceId, beneath: string | null): Promise<void> {
      if (leases.lease(leases.acquire(id))?.beneath !== beneath) await updateLease(id, { beneath })
    },

    /** Records that all work in it is saved. `path` reverses that. */
    settle: (id: WorkspaceId): void => leases.settle(id, true),

    async release(id: WorkspaceId): Promise<void> {
      workTrees.delete(id)
      leases.release(id)
    },

    async clean(): Promise<void> {
      await keepAll(mark('clean'))
      await shelf.serially(async () => {
        await forgetWorktrees(shelf.commonDir, worktreesFolder(shelf.root, keeping.run))
        // Files that cannot be removed are left for `looper clean`.
        await removeTree(shelf.folder).catch(() => {})
      })
      workTrees.clear()
      leases.clear()
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
function ignoreGitError(error: unknown): false {
  if (error instanceof LooperError && ['WORKSPACE_GIT', 'WORKSPACE_CONTENT'].includes(error.code)) return false
  throw error
}
