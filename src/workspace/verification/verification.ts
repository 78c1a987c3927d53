/** Manages verification workspaces. Only checks that run in them decide whether a change lands. */
import { LooperError } from '../../model/error.ts'
import type { Altered, Verification } from '../workspaces.ts'
import type { CheckWork } from '../../model/work.ts'
import { createVerificationBuilder, type BuilderOptions } from './verification-builder.ts'
import type { Target } from './verification-checkout.ts'
import { openPool, type Member } from './verification-pool.ts'

export interface VerificationOptions extends BuilderOptions {
  /**
   * A folder only for these workspaces, outside of every repository. Created when missing. EVERYTHING ELSE IN IT IS
   * REMOVED.
   */
  folder: string
  /** The maximum number of workspaces in use. Further calls wait in order. */
  most: number
  mark: (workId: string) => string
}

export function createVerification({ folder, most, mark, ...options }: VerificationOptions) {
  const pool = openPool(folder, options.root, Math.max(1, most))
  const builder = createVerificationBuilder(pool, options)
  const held = new Map<string, Member>()
  const controls = new Map<string, Member>()
  /** Caches: the tree of each commit and the key of each tree. */
  const trees = new Map<string, string>()
  const keys = new Map<string, string>()

  function verified(workId: string): void {
    const [member, control] = [held.get(workId), controls.get(workId)]
    if (control) pool.discard(control.seat)
    controls.delete(workId)
    if (!member) return
    held.delete(workId)
    pool.put(member)
    pool.leave()
  }

  /** A free workspace moved to the target; null when there is none that fits. */
  async function reuse(target: Target, key: string): Promise<Member | null> {
    for (const member of pool.candidates(target.tree, keys.get(target.tree ?? ''))) {
      if (!pool.take(member)) continue
      const state = await builder.move(member, target, key).catch(() => 'lost' as const)
      if (state === 'ready') return member
      if (state === 'unfit') pool.put(member)
      else pool.discard(member.seat)
      if (state === 'lost') return null
    }
    return null
  }

  return {
    /** See `Workspaces.verification`. Waits while all are in use. A second call for the same work ends the first. */
    async verification(work: CheckWork): Promise<Verification> {
      const { commit, id } = work
      if (commit === undefined) throw new LooperError('BUG_INVARIANT', `${id} names no commit to be verified`)
      verified(id)
      await pool.admit()
      try {
        const target: Target = { commit, tree: work.tree ?? trees.get(commit) ?? null }
        const member = (await reuse(target, mark(id))) ?? (await builder.build(target, mark(id)))
        if (work.tree === null) trees.set(commit, member.tree)
        keys.set(member.tree, member.key)
        verified(id)
        held.set(id, member)
        if (!options.sandbox) void builder.prove(member, mark(id))
        return { path: member.seat.path, tree: member.tree }
      } catch (error) {
        pool.leave()
        throw error
      }
    },

    /** See `Workspaces.altered`. */
    async altered(workId: string): Promise<Altered> {
      const filesOf = async (member?: Member): Promise<string[]> =>
        member ? builder.altered(member, mark(workId)) : []
      return { files: await filesOf(held.get(workId)), control: await filesOf(controls.get(workId)) }
    },

    /** See `Workspaces.renewed`. The work keeps its place in the pool. */
    async renewed({ id, commit = '' }: CheckWork): Promise<Verification> {
      const former = held.get(id)
      if (!former) throw new LooperError('BUG_INVARIANT', `${id} has no workspace to be renewed`)
      pool.discard(former.seat)
      const target: Target = { commit, tree: former.tree }
      const member = await builder.build(target, mark(id), 'secret')
      const control = await builder.build(target, mark(id), 'control').catch((error: unknown) => {
        pool.discard(member.seat)
        throw error
      })
      if (held.get(id) !== former) {
        for (const { seat } of [member, control]) pool.discard(seat)
        throw new LooperError('BUG_INVARIANT', `${id} gave its workspace back`)
      }
      held.set(id, member)
      controls.set(id, control)
      return { path: member.seat.path, tree: member.tree }
    },

    /**
     * Returns the workspace to the pool. Call it after `verification` has resolved; it does nothing for work without a
     * workspace.
     */
    verified,

    /** Builds a free workspace at the commit, so that the products of its set-up are stored. */
    async warm(commit: string, key: string): Promise<void> {
      pool.put(await builder.build({ commit, tree: trees.get(commit) ?? null }, key))
    },

    /** Removes all workspaces. Files that cannot be removed are left behind. */
    async clean(): Promise<void> {
      for (const id of held.keys()) verified(id)
      await pool.clean()
    },
  }
}
