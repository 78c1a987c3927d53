/** Makes verification workspaces and moves used ones to other trees. They hold what a fresh clone with set-up holds. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ioError, readNow } from '../platform/files.ts'
import { parentOf, scan, settle, type Manifest } from './manifest.ts'
import { publishIndex, type Place } from './place.ts'
import {
  alteredFiles,
  carryBrought,
  compare,
  emptyFolders,
  markBrought,
  removeFolders,
  removeFrom,
  restore,
} from './pristine.ts'
import {
  checkout,
  gitlinks,
  hasSubmodules,
  writtenSince,
  type CheckoutCall,
  type Target,
} from './verification-checkout.ts'
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
   * Replaces what is there, but for the folder `kept`.
   */
  writeGitDir: (workspace: string, commit: string, kept: string) => Promise<void>
}

/** `unfit`: it needs another set-up. `spoiled`: its set-up was changed. `lost`: only a new workspace can serve. */
export type Moved = 'ready' | 'unfit' | 'spoiled' | 'lost'

/** All but the usual ones are at paths that cannot be guessed. */
export type Kind = 'usual' | 'secret' | 'control'

const noLinks: ReadonlyMap<string, string> = new Map()

const isAttributes = (path: string): boolean => /(^|\/)\.gitattributes$/i.test(path)

/** Attributes decide how a file is written, but git does not write it again when only its attributes changed. */
function haveSameAttributes(before: Manifest, after: Manifest): boolean {
  const ofTree = (manifest: Manifest): string =>
    JSON.stringify(
      [...manifest].flatMap(([path, { base, changedMs, brought }]) =>
        isAttributes(path) && !brought ? [path, base, changedMs] : [],
      ),
    )
  return ofTree(before) === ofTree(after)
}

export function createVerificationBuilder(pool: Pool, options: BuilderOptions) {
  const callFor = (place: Place, mark: string): CheckoutCall => ({
    place,
    mark,
    objects: options.objects,
    signal: options.signal,
  })

  /** `.git` as in a fresh clone, whatever a check did to it. Clones of submodules stay: they are in the manifest. */
  async function renewGit(place: Place, commit: string, config: string | null): Promise<void> {
    const gitDir = join(place.path, '.git')
    await options.writeGitDir(place.path, commit, 'modules')
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
      await checkout({ commit, tree }, callFor(place, mark))
      all = await scan(place.path)
    }
    await markBrought(place.path, manifest, all)
    const gitConfig = readNow(join(place.path, '.git', 'config'))?.toString('utf8') ?? null
    const attributes = [...all.keys()].filter((path) => !manifest.has(path) && isAttributes(path))
    const fixed = attributes.some((path) => manifest.has(parentOf(path)))
    Object.assign(member, { manifest: all, touched, fixed, gitConfig })
    await renewGit(place, commit, gitConfig)
  }

  /** Everything from the beginning. A `control` holds the tree alone. */
  async function build(target: Target, mark: string, kind: Kind = 'usual'): Promise<Member> {
    const seat = await pool.make(kind !== 'usual')
    const place: Place = {
      path: seat.path,
      gitDir: options.gitDir,
      index: seat.index,
      excludes: '/dev/null',
      foreign: [],
      usualIndex: null,
      ...(options.gitEnv ? { env: options.gitEnv } : {}),
    }
    try {
      const tree = await checkout(target, callFor(place, mark))
      const manifest = await scan(place.path)
      const links = hasSubmodules(place.path) ? await gitlinks(callFor(place, mark)) : noLinks
      const key = equipmentKey(place.path, options, { tree, manifest, links })
      const nothing = { touched: [], fixed: false, gitConfig: null }
      const member: Member = { seat, place, tree, manifest, links, key, keyAfter: key, ...nothing }
      await renewGit(place, target.commit, null)
      if (kind !== 'control' && options.setup.length + options.copy.length + links.size > 0) {
        await bring(member, target.commit, mark)
        member.keyAfter = equipmentKey(place.path, options, member)
      }
      await settle(place.path, member.manifest)
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
      const tree = await checkout(target, callFor(place, mark))
      const manifest = await scan(place.path, { since })
      if (!haveSameAttributes(member.manifest, manifest)) return 'lost'
      if (!carryBrought(place.path, member.manifest, manifest)) return 'lost'
      const links = await removeEmpty(place, manifest, mark)
      Object.assign(member, { tree, manifest, links })
    }
    if (equipmentKey(place.path, options, member) !== member.keyAfter) return 'unfit'
    if (member.touched.some((path) => !member.manifest.has(path))) return 'unfit'
    await renewGit(place, target.commit, member.gitConfig)
    await settle(place.path, member.manifest)
    return 'ready'
  }

  /** By list, the files that were changed before they were listed. */
  const proofs = new WeakMap<Manifest, Promise<string[]>>()

  /** Git compares while the check runs: what is changed after the listing shows by the list. */
  function prove({ place, manifest }: Member, mark: string): Promise<string[]> {
    const proof = proofs.get(manifest) ?? writtenSince(callFor(place, mark))
    proof.catch(() => {})
    proofs.set(manifest, proof)
    return proof
  }

  /** Files of the tree that are not as git wrote them. */
  async function altered(member: Member, mark: string): Promise<string[]> {
    const listed = await alteredFiles(member.place.path, member.manifest)
    return [...new Set([...listed, ...(await prove(member, mark))])].map((path) =>
      Buffer.from(path, 'latin1').toString(),
    )
  }

  return { build, move, prove, altered }
}
