/**
 * Creates verification workspaces and moves used ones to other trees. Each contains exactly what a fresh clone after
 * set-up contains.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ioError, readNow } from '../../platform/files.ts'
import { parentOf, scan, settle, type Manifest } from '../clones/manifest.ts'
import { publishIndex, type WorkTree } from '../clones/work-tree.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import {
  alteredFiles,
  carryBrought,
  compare,
  emptyFolders,
  markBrought,
  removeFolders,
  removeFrom,
  restore,
} from '../clones/pristine.ts'
import {
  checkout,
  gitlinks,
  hasSubmodules,
  writtenSince,
  type CheckoutCall,
  type Target,
} from './verification-checkout.ts'
import type { Member, Pool } from './verification-pool.ts'
import { equipmentKey } from '../setup/equipment-key.ts'
import { equip, inputsOf, type Equipment, type Equipped } from './verification-setup.ts'

export interface BuilderOptions extends Equipment {
  /** Looper's own git directory: it has the configuration of the run's start and the user's objects. */
  gitDir: string
  /** Variables that keep git from reading any other configuration. */
  gitEnv?: Record<string, string>
  /** The user's object folder, when `gitDir` does not lead to it. */
  objects?: string
  /**
   * Writes the `.git` of a clone into the workspace: HEAD at the commit, refs, config, alternates, no index. Replaces
   * an existing one except for the folder `kept`.
   */
  writeGitDir: (workspace: string, commit: string, kept: string) => Promise<void>
  /** Absent: git writes all files. */
  quick?: QuickObjects
}

/** `unfit`: it needs another set-up. `spoiled`: its set-up was changed. `lost`: only a new workspace can be used. */
export type Moved = 'ready' | 'unfit' | 'spoiled' | 'lost'

/** The paths of `secret` and `control` workspaces cannot be guessed. */
export type Kind = 'usual' | 'secret' | 'control'

const noLinks: ReadonlyMap<string, string> = new Map()

const isAttributes = (path: string): boolean => /(^|\/)\.gitattributes$/i.test(path)

/** Attributes determine how git writes a file, but git does not write it again when only its attributes changed. */
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
  const callFor = (workTree: WorkTree, mark: string): CheckoutCall => ({
    workTree,
    mark,
    objects: options.objects,
    signal: options.signal,
    ...(options.quick ? { quick: options.quick } : {}),
  })

  const keyFor = (path: string, equipped: Equipped): string =>
    equipmentKey(path, options, inputsOf(path, options.setup, equipped))

  /**
   * Restores `.git` as in a fresh clone, whatever a check did to it. Clones of submodules stay, because the manifest
   * covers them.
   */
  async function renewGit(workTree: WorkTree, commit: string, config: string | null): Promise<void> {
    const gitDir = join(workTree.path, '.git')
    await options.writeGitDir(workTree.path, commit, 'modules')
    if (config !== null) writeFileSync(join(gitDir, 'config'), config)
    publishIndex({ ...workTree, gitDir })
  }

  /** Removes empty folders and returns the submodules of the tree. */
  async function removeEmpty(
    workTree: WorkTree,
    manifest: Manifest,
    mark: string,
  ): Promise<ReadonlyMap<string, string>> {
    if (!hasSubmodules(workTree.path) && emptyFolders(manifest, new Set()).length === 0) return noLinks
    const links = await gitlinks(callFor(workTree, mark))
    removeFolders(workTree.path, manifest, emptyFolders(manifest, new Set(links.keys())))
    return hasSubmodules(workTree.path) ? links : noLinks
  }

  /** Runs set-up for the tree. Files of the tree that set-up changes are restored. */
  async function bring(member: Member, commit: string, mark: string): Promise<void> {
    const { workTree, tree, manifest } = member
    const inputs = inputsOf(workTree.path, options.setup, member)
    let all = (await equip(workTree, options, { inputs, commit }, mark)) ?? (await scan(workTree.path))
    const { changed, missing } = await compare(workTree.path, manifest, all)
    const isFile = (path: string): boolean => !manifest.get(path)?.folder || !all.get(path)?.folder
    const touched = [...changed, ...missing].filter(isFile)
    if (touched.length > 0) {
      for (const path of changed.filter(isFile)) await removeFrom(workTree.path, path)
      await checkout({ commit, tree }, callFor(workTree, mark))
      all = await scan(workTree.path)
    }
    await markBrought(workTree.path, manifest, all)
    const gitConfig = readNow(join(workTree.path, '.git', 'config'))?.toString('utf8') ?? null
    const attributes = [...all.keys()].filter((path) => !manifest.has(path) && isAttributes(path))
    const fixed = attributes.some((path) => manifest.has(parentOf(path)))
    Object.assign(member, { manifest: all, touched, fixed, gitConfig })
    await renewGit(workTree, commit, gitConfig)
  }

  /** Creates a new workspace. A `control` workspace contains only the tree, without set-up. */
  async function build(target: Target, mark: string, kind: Kind = 'usual'): Promise<Member> {
    const seat = await pool.make(kind !== 'usual')
    const workTree: WorkTree = {
      path: seat.path,
      gitDir: options.gitDir,
      index: seat.index,
      excludes: '/dev/null',
      foreign: [],
      usualIndex: null,
      ...(options.gitEnv ? { env: options.gitEnv } : {}),
    }
    try {
      const tree = await checkout(target, callFor(workTree, mark), 'nothing')
      const manifest = await scan(workTree.path)
      const links = hasSubmodules(workTree.path) ? await gitlinks(callFor(workTree, mark)) : noLinks
      const key = keyFor(workTree.path, { tree, manifest, links })
      const nothing = { touched: [], fixed: false, gitConfig: null }
      const member: Member = { seat, workTree, tree, manifest, links, key, keyAfter: key, ...nothing }
      await renewGit(workTree, target.commit, null)
      if (kind !== 'control' && options.setup.length + options.copy.length + links.size > 0) {
        await bring(member, target.commit, mark)
        member.keyAfter = keyFor(workTree.path, member)
      }
      await settle(workTree.path, member.manifest)
      return member
    } catch (error) {
      pool.discard(seat)
      throw ioError(error, seat.path)
    }
  }

  /** Removes what the last check left and moves to the target. If it throws, the workspace is unusable. */
  async function move(member: Member, target: Target, mark: string): Promise<Moved> {
    const { workTree } = member
    await pool.isolate(member.seat)
    const { state, since } = await restore(workTree.path, member.manifest)
    if (state === 'spoiled') return 'spoiled'
    if (state === 'incomplete' || member.tree !== target.tree) {
      if (member.fixed) return 'lost'
      const content = state === 'intact' ? 'index' : 'anything'
      const tree = await checkout(target, callFor(workTree, mark), content)
      const manifest = await scan(workTree.path, { since })
      if (!haveSameAttributes(member.manifest, manifest)) return 'lost'
      if (!carryBrought(workTree.path, member.manifest, manifest)) return 'lost'
      const links = await removeEmpty(workTree, manifest, mark)
      Object.assign(member, { tree, manifest, links })
    }
    if (keyFor(workTree.path, member) !== member.keyAfter) return 'unfit'
    if (member.touched.some((path) => !member.manifest.has(path))) return 'unfit'
    await renewGit(workTree, target.commit, member.gitConfig)
    await settle(workTree.path, member.manifest)
    return 'ready'
  }

  /** For each manifest, the files that were changed between the checkout and the scan. */
  const proofs = new WeakMap<Manifest, Promise<string[]>>()

  /** If only git can compare, it does so while the check runs. Changes after the scan are found by the manifest. */
  function prove({ workTree, tree, manifest }: Member, mark: string): Promise<string[]> {
    const proof = proofs.get(manifest) ?? writtenSince(tree, callFor(workTree, mark))
    // A comparison that failed says nothing: the next check compares again.
    proof.catch(() => proofs.delete(manifest))
    proofs.set(manifest, proof)
    return proof
  }

  /** Files of the tree that differ from what git wrote. */
  async function altered(member: Member, mark: string): Promise<string[]> {
    const listed = await alteredFiles(member.workTree.path, member.manifest)
    return [...new Set([...listed, ...(await prove(member, mark))])].map((path) =>
      Buffer.from(path, 'latin1').toString(),
    )
  }

  return { build, move, prove, altered }
}
