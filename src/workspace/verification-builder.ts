/** Makes verification workspaces and moves used ones to other trees. They hold what a fresh clone with set-up holds. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { ioError, readNow } from '../platform/files.ts'
import { hasModules, parentOf, scan, untilTimesDiffer, type Manifest } from './manifest.ts'
import { publishIndex, type Place } from './place.ts'
import { carryBrought, compare, emptyFolders, markBrought, removeFolders, removeFrom, restore } from './pristine.ts'
import { checkout, gitlinks, hasSubmodules, type CheckoutCall, type Target } from './verification-checkout.ts'
import type { Member, Pool } from './verification-pool.ts'
import { equip, equipmentKey, type Equipment } from './verification-setup.ts'

export interface BuilderOptions extends Equipment {
  /** A git directory of Looper's own: its config is the one that the run started with, its objects are the user's. */
  gitDir: string
  /** Variables that keep git from reading any other configuration. */
  gitEnv?: Record<string, string>
  /** The user's objects, where `gitDir` does not lead to them by itself. */
  objects?: string
  /**
   * Writes `.git` of a clone into the workspace: HEAD at the commit, refs, config, a way to the objects, no index.
   * There is no `.git` yet, or nothing but `modules` in it.
   */
  writeGitDir: (workspace: string, commit: string) => void | Promise<void>
}

/** `unfit`: it needs another set-up. `spoiled`: its set-up was changed. `lost`: only a new workspace can serve. */
export type Moved = 'ready' | 'unfit' | 'spoiled' | 'lost'

const noLinks: ReadonlyMap<string, string> = new Map()

export function createVerificationBuilder(pool: Pool, options: BuilderOptions) {
  const callFor = (place: Place, mark: string): CheckoutCall =>
    ({ place, mark, objects: options.objects, signal: options.signal })

  /** `.git` as in a fresh clone, whatever a check did to it. Clones of submodules stay: they are in the manifest. */
  async function renewGit(place: Place, commit: string, config: string | null): Promise<void> {
    const gitDir = join(place.path, '.git')
    const parts = hasModules(place.path) ? readdirSync(gitDir, 'latin1').filter((name) => name !== 'modules') : null
    for (const part of parts?.map((name) => `.git/${name}`) ?? ['.git']) await removeFrom(place.path, part)
    await options.writeGitDir(place.path, commit)
    if (config !== null) writeFileSync(join(gitDir, 'config'), config)
    publishIndex({ ...place, gitDir })
  }

  /** Returns the submodules of the tree. */
  async function removeEmpty(place: Place, manifest: Manifest, mark: string): Promise<ReadonlyMap<string, string>> {
    if (!hasSubmodules(place.path) && emptyFolders(manifest, new Set()).length === 0) return noLinks
    const links = await gitlinks(callFor(place, mark))
    removeFolders(place.path, manifest, emptyFolders(manifest, new Set(links.keys())))
    return hasSubmodules(place.path) ? links : noLinks
  }

  /** Brings what the tree asks for. Files of the tree that this changes are put back. */
  async function bring(member: Member, commit: string, mark: string): Promise<void> {
    const { place, tree, manifest } = member
    await equip(place, options, mark)
    let all = await scan(place.path)
    const { changed, missing } = await compare(place.path, manifest, all)
    const isFile = (path: string): boolean => !manifest.get(path)?.folder || !all.get(path)?.folder
    const touched = [...changed, ...missing].filter(isFile)
    if (touched.length > 0) {
      for (const path of changed.filter(isFile)) await removeFrom(place.path, path)
      await checkout({ commit, tree }, null, callFor(place, mark))
      all = await scan(place.path)
    }
    await markBrought(place.path, manifest, all)
    const gitConfig = readNow(join(place.path, '.git', 'config'))?.toString('utf8') ?? null
    const attributes = [...all.keys()].filter((path) => !manifest.has(path) && /(^|\/)\.gitattributes$/i.test(path))
    const fixed = attributes.some((path) => manifest.has(parentOf(path)))
    Object.assign(member, { manifest: all, touched, fixed, gitConfig })
    await renewGit(place, commit, gitConfig)
  }

  /** Everything from the beginning. */
  async function build(target: Target, mark: string): Promise<Member> {
    const seat = pool.make()
    const place: Place = {
      path: seat.path, gitDir: options.gitDir, index: seat.index, excludes: '/dev/null', foreign: [], usualIndex: null,
      ...(options.gitEnv ? { env: options.gitEnv } : {}),
    }
    try {
      const tree = await checkout(target, null, callFor(place, mark))
      if (tree === null) throw new LooperError('BUG_INVARIANT', 'there are no other attributes to compare with')
      const manifest = await scan(place.path)
      const links = hasSubmodules(place.path) ? await gitlinks(callFor(place, mark)) : noLinks
      const key = equipmentKey(place.path, options, links)
      const nothing = { touched: [], fixed: false, gitConfig: null }
      const member: Member = { seat, place, tree, manifest, links, key, keyAfter: key, ...nothing }
      await renewGit(place, target.commit, null)
      if (options.setup.length + options.copy.length + links.size > 0) {
        await bring(member, target.commit, mark)
        member.keyAfter = equipmentKey(place.path, options, links)
      }
      await untilTimesDiffer(member.manifest)
      return member
    } catch (error) {
      pool.discard(seat)
      throw ioError(error, seat.path)
    }
  }

  /** Removes what the last check left and changes to the target. When it throws, the workspace is of no more use. */
  async function move(member: Member, target: Target, mark: string): Promise<Moved> {
    const { place } = member
    await pool.isolate(member.seat)
    const { state, since } = await restore(place.path, member.manifest)
    if (state === 'spoiled') return 'spoiled'
    if (state === 'incomplete' || member.tree !== target.tree) {
      if (member.fixed) return 'lost'
      const tree = await checkout(target, member.tree, callFor(place, mark))
      if (tree === null) return 'lost'
      const manifest = await scan(place.path, { since })
      if (!carryBrought(place.path, member.manifest, manifest)) return 'lost'
      const links = await removeEmpty(place, manifest, mark)
      Object.assign(member, { tree, manifest, links })
    }
    if (equipmentKey(place.path, options, member.links) !== member.keyAfter) return 'unfit'
    if (member.touched.some((path) => !member.manifest.has(path))) return 'unfit'
    await renewGit(place, target.commit, member.gitConfig)
    await untilTimesDiffer(member.manifest)
    return 'ready'
  }

  return { build, move }
}
