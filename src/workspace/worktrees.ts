/** Manages workspaces as clones that borrow the user's objects: one for each active task, none inside the checkout. */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../model/config.ts'
import type { TreeOverlay } from '../model/ports/site.ts'
import type { Altered, Verification } from './workspaces.ts'
import type { ChangedFile } from '../model/tamper.ts'
import type {
  CheckpointOutcome,
  CheckpointWork,
  CheckWork,
  InspectOutcome,
  InspectWork,
  IntegrateOutcome,
  IntegrateWork,
  LeftOutside,
  PrepareOutcome,
  PrepareWork,
  RollbackOutcome,
  RollbackWork,
  SubmoduleCommit,
  WorkspaceId,
} from '../model/work.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { inTurn, type InTurn } from '../platform/in-turn.ts'
import { endOrphansIn } from '../platform/orphans.ts'
import { plain } from '../views/plain-text.ts'
import { makeCheckpoint } from './checkpoint.ts'
import type { IsClean } from './clean-history.ts'
import { createLandings, makeCommit } from './commit.ts'
import { putHead } from './clone-git-dir.ts'
import { readChanged } from './contents.ts'
import { freezeGit, type FrozenGit } from './frozen-git.ts'
import type { GitCall } from './git.ts'
import { inspectOutcome } from './inspect-outcome.ts'
import { integrate as integrateTree, treeOf } from './integrate.ts'
import type { Integration } from './integration.ts'
import { clearLookups, lookupsText } from './lookup-folders.ts'
import { overlayTree } from './overlay.ts'
import { diskError } from './full-disk.ts'
import { pathsMentioning } from './mentions.ts'
import { findOutside } from './outside.ts'
import { publishIndex, type Place } from './place.ts'
import type { Provisions } from './provision.ts'
import { findUnresolved } from './resolution.ts'
import { rollBack } from './rollback.ts'
import { candidateRef, createRunRefs, runRefFolder } from './run-refs.ts'
import { safeName, worktreesFolder } from './safe-name.ts'
import { takeSnapshot } from './snapshot.ts'
import { keepSubmoduleCommits, populateSubmodules } from './submodules.ts'
import { createWorktreePool } from './worktree-pool.ts'
import { compareTrees, diffText } from './tree-changes.ts'
import { readOnce } from './user-settings.ts'
import { createVerification } from './verification.ts'
import {
  chooseWorkspacesFolder,
  recordedFolder,
  recordWorkspacesFolder,
  verificationFolder,
} from './workspaces-folder.ts'
import { moveTo, restoreTree, type Shelf } from './worktree.ts'
import { gitDirsOf } from './worktree-link.ts'

export interface WorktreeOptions extends Pick<Provisions, 'env' | 'withheld' | 'own' | 'mask' | 'signal' | 'sandbox'> {
  root: string
  /** The run's folder, which contains the git directory of Looper's own git. */
  runDir: string
  run: string
  branch: string
  /** The commit the run starts from. */
  base: string
  workspace: Config['workspace']
  /** The backlog file, relative to the root. It belongs to the user, so it is never part of a change. */
  backlog?: string
  /** The set-up commands in effect: configured or discovered. */
  setup: readonly string[]
  /** The maximum number of parallel checks. Each has a verification workspace. */
  checksParallel?: number
  /** The user's own environment, which determines the cache folder. */
  userEnv?: NodeJS.ProcessEnv
  /** Whether a text contains no secret; absent when no secrets are known. */
  isClean?: IsClean
  mark: (workId: string) => string
}

export function createWorktrees(options: WorktreeOptions) {
  const root = realpathSync(options.root)
  const { run, base, workspace, setup, mark } = options
  const { commonDir } = gitDirsOf(root)
  const own = options.backlog === undefined ? [] : [options.backlog]
  const folder =
    recordedFolder(root, run) ?? chooseWorkspacesFolder(root, run, workspace.folder, options.userEnv ?? options.env)
  const { runDir } = options
  /** The list of module and settings files above the workspaces at the start of the run. */
  const lookupsFile = join(runDir, 'git', 'lookups.json')
  let lookups = '[]'
  const freeze = readOnce(async () => {
    const settings = await freezeGit({ root, commonDir, runDir, branch: options.branch, base }, mark('settings'))
    lookups = lookupsText(lookupsFile, folder)
    settings.keep(lookupsFile, lookups)
    return settings
  })
  let inUse: FrozenGit | null = null
  const frozen = async (): Promise<FrozenGit> => {
    const known = await freeze()
    known.ensure()
    inUse = known
    recordWorkspacesFolder(root, run, folder)
    return known
  }
  const shelf: Shelf = { root, commonDir, folder, serially: inTurn(), own, frozen }
  const trees = new Map<string, string>()
  const { branch } = options
  const refs = createRunRefs({
    root,
    commonDir,
    run,
    branch,
    base,
    worktrees: worktreesFolder(root, run),
    trees,
    mark: mark('refs'),
  })
  const landings = createLandings(base, { cwd: root, mark: mark('landings') })
  const queues = new Map<WorkspaceId, InTurn>()
  /** Trees that Looper itself put into a work tree. They need not be saved. */
  const placed = new Set<string>()
  const isKnown = (tree: string): boolean => placed.has(tree) || [...trees.values()].includes(tree)

  /** Looper's own git, with the settings of the run's start. */
  async function ownGit(key: string): Promise<GitCall & { env: Record<string, string>; mark: string }> {
    const { identity, env, quick } = await frozen()
    return { cwd: root, mark: key, env: { ...identity, ...env }, quick }
  }

  const provisions = async (): Promise<Provisions> => ({
    root,
    copy: workspace.copy,
    setup,
    ignoreRules: (await frozen()).ignoreRules,
    env: options.env,
    withheld: options.withheld,
    own: options.own,
    mask: options.mask,
    signal: options.signal,
    sandbox: options.sandbox,
  })

  /** Runs the jobs of one workspace in order. A file system error becomes an ENVIRONMENT_ error. */
  function inOrder<T>(workspaceId: WorkspaceId, job: () => Promise<T>): Promise<T> {
    const queue = queues.get(workspaceId) ?? inTurn()
    queues.set(workspaceId, queue)
    return queue(job).catch((error: unknown) => {
      const where = pool.where(workspaceId)
      throw diskError(errnoOf(error) === null ? error : ioError(error, where), folder)
    })
  }

  const newestTip = async (key: string): Promise<string> => (await refs.tip(key)).commit

  async function treeOfCommit(commit: string, key: string): Promise<string> {
    const tree = trees.get(commit) ?? (await treeOf(commit, await ownGit(key)))
    trees.set(commit, tree)
    return tree
  }

  const pool = createWorktreePool({
    shelf,
    setup,
    mark,
    provisions,
    newestTip,
    keeping: { root, run, refs, isKnown, call: ownGit, treeOf: treeOfCommit, isClean: options.isClean },
  })
  const { open } = pool

  async function integration(work: IntegrateWork, key: string): Promise<Integration> {
    return {
      root,
      run,
      refs,
      landings,
      trees,
      own: await ownGit(key),
      treeOf: treeOfCommit,
      snapshot: async (from) =>
        (await takeSnapshot(await open(work.workspace, from, key), { id: from }, 'content', key)).tree,
      place: async ({ tree, onto, candidate }) => {
        const place = await open(work.workspace, onto, key)
        placed.add(tree)
        await moveTo(place, tree, key)
        if (candidate) await refs.move({ candidate }, key)
        await putHead(place.gitDir, onto)
        await pool.moved(work.workspace, place, onto)
        publishIndex(place)
        await pool.equip(place, work.workspace, key)
      },
    }
  }

  /** Saves commits that agents made in submodules. Returns those that no remote has. */
  async function keepInnerCommits(
    { workspace: id, task, id: workId, base: from, step }: IntegrateWork,
    key: string,
  ): Promise<SubmoduleCommit[]> {
    if (step.kind !== 'merge' || step.tree === null || from === null) return []
    if (!existsSync(join(pool.where(id), '.gitmodules'))) return []
    // After a crash, the workspace has not been opened yet.
    const place = pool.place(id) ?? (await open(id, from, key))
    const changes = await compareTrees(from, step.tree, await ownGit(key))
    return keepSubmoduleCommits(place, shelf, changes, candidateRef(run, task, workId), options, key)
  }

  const verification = readOnce(async () => {
    const { gitDir, env, writeGitDir } = await frozen()
    return createVerification({
      folder: verificationFolder(folder),
      most: options.checksParallel ?? 1,
      mark,
      gitDir,
      gitEnv: env,
      writeGitDir,
      root,
      copy: workspace.copy,
      setup,
      env: options.env,
      withheld: options.withheld,
      own: options.own,
      mask: options.mask,
      signal: options.signal,
      sandbox: options.sandbox,
      populate: (place, key) => populateSubmodules(place, shelf, key),
    })
  })

  /** Evidence is seen with Looper's own settings of git only. */
  const restored = async (): ReturnType<typeof verification> => {
    await frozen()
    return verification()
  }

  const ofDisk = (error: unknown): never => {
    throw diskError(error, verificationFolder(folder))
  }

  /** Files in the workspace that will not land. */
  const outsideOf = async (place: Place, id: WorkspaceId, key: string): Promise<LeftOutside[]> =>
    findOutside(place, pool.manifest(id), await pool.dirtySubmodules(id, key), key)

  return {
    path: pool.path,

    prepare: (work: PrepareWork): Promise<PrepareOutcome> =>
      inOrder(work.workspace, async () => {
        const key = mark(work.id)
        await endOrphansIn(pool.where(work.workspace))
        const commit = work.at ?? (await newestTip(key))
        await pool.prepare(work.workspace, commit, work.id, key)
        return { kind: 'prepare', base: commit, tree: await treeOfCommit(commit, key) }
      }),

    /** Waits for running work there. Errors are ignored, because the next use of the workspace reports them. */
    release(id: WorkspaceId): void {
      void inOrder(id, () => pool.release(id)).catch(() => {})
    },

    inspect: (work: InspectWork): Promise<InspectOutcome> =>
      inOrder(work.workspace, async () => {
        const key = mark(work.id)
        await endOrphansIn(pool.where(work.workspace))
        const place = await open(work.workspace, work.base, key)
        const since = work.base ?? work.restore ?? (await newestTip(key))
        const { tree, changes } = await takeSnapshot(place, { id: since, tree: trees.get(since) }, 'content', key)
        ;(await frozen()).quick.rememberChanges(since, tree, changes)
        if (work.restore === null || work.restore === tree) {
          const found = inspectOutcome(tree, changes, false)
          if (work.outside) found.outside = await outsideOf(place, work.workspace, key)
          const inner = work.outside ? [] : await pool.keepSubmodules(work.workspace, changes, key)
          if (inner.length > 0) found.submodules = inner
          if (!work.resolves) return found
          const unresolved = await findUnresolved({ ...work.resolves, onto: since }, tree, await ownGit(key))
          return { ...found, unresolved }
        }
        const edited = await compareTrees(work.restore, tree, await ownGit(key))
        await restoreTree(place, work.restore, key)
        await pool.cover(work.workspace, null)
        return inspectOutcome(work.restore, edited, true)
      }),

    integrate: (work: IntegrateWork): Promise<IntegrateOutcome> =>
      inOrder(work.workspace, async () => {
        const key = mark(work.id)
        const submodules = await keepInnerCommits(work, key)
        if (work.step.kind !== 'land') await pool.keepCommits(work.workspace, key)
        const outcome = await integrateTree(work, await integration(work, key), key)
        if (outcome.status === 'landed') pool.settle(work.workspace)
        const isIn = outcome.status === 'landed' || outcome.status === 'merged'
        return isIn && submodules.length > 0 ? { ...outcome, submodules } : outcome
      }),

    /** A ref keeps the tree, because the user's git may prune unreachable objects while the run is paused. */
    overlay: async (overlay: TreeOverlay): Promise<string> => {
      const call = await ownGit(mark(overlay.id))
      const tree = await overlayTree(overlay, join(shelf.folder, '.state', `${safeName(overlay.id)}.overlay`), call)
      const commit = await makeCommit({ tree, parents: [], message: `Overlay for ${plain(overlay.id)}\n` }, call)
      await refs.move(
        { candidate: { ref: `${runRefFolder(run)}/overlays/${safeName(overlay.id)}`, commit } },
        call.mark,
      )
      return tree
    },

    verification: async (work: CheckWork): Promise<Verification> => {
      const workspaces = await restored()
      await clearLookups(lookups, folder)
      return workspaces.verification(work).catch(ofDisk)
    },

    altered: async (workId: string): Promise<Altered> => (await restored()).altered(workId),

    renewed: async (work: CheckWork): Promise<Verification> => (await restored()).renewed(work).catch(ofDisk),

    verified: (workId: string): void =>
      void verification().then(
        (workspaces) => workspaces.verified(workId),
        () => {},
      ),

    checkpoint: async (work: CheckpointWork): Promise<CheckpointOutcome> =>
      makeCheckpoint(work, run, refs, await ownGit(mark(work.id))),

    rollback: async (work: RollbackWork): Promise<RollbackOutcome> =>
      rollBack(work, { root, run, base, refs, landings }, mark(work.id)),

    /** The commit of this work's landing; null when it is not on the branch. */
    landed: async (workId: string): Promise<string | null> => landings.find(workId, await newestTip(mark(workId))),

    contents: async (
      from: string,
      tree: string,
      maxBytes: number,
      also: readonly string[] = [],
      binary = false,
    ): Promise<ChangedFile[]> => readChanged(from, tree, maxBytes, await ownGit(mark('contents')), also, binary),

    changedPaths: async (from: string, tree: string): Promise<string[]> =>
      (await compareTrees(from, tree, await ownGit(mark('contents')))).map(({ path }) => path),

    mentioning: async (tree: string, words: readonly string[]): Promise<string[]> =>
      pathsMentioning(tree, words, await ownGit(mark('contents'))),

    restore: (id: WorkspaceId, tree: string): Promise<string[]> =>
      inOrder(id, async () => {
        const key = mark(`${id}/restore`)
        const paths = await restoreTree(await open(id, null, key), tree, key)
        await pool.cover(id, null)
        if (isKnown(tree)) pool.settle(id)
        return paths
      }),

    diff: (id: WorkspaceId, from: string, maxChars: number): Promise<string> =>
      inOrder(id, async () => {
        const key = mark(`${id}/diff`)
        const place = await open(id, null, key)
        const { tree } = await takeSnapshot(place, { id: from, tree: trees.get(from) }, 'content', key)
        return diffText(from, tree, maxChars, await ownGit(key))
      }),

    /** A resumed run reads the settings again, so they are restored while no agent runs. */
    async close(): Promise<void> {
      inUse?.ensure()
      await refs.close()
    },

    /** Removes only verification workspaces, because those of agents may contain work. */
    cleanVerification: async (): Promise<void> => (await verification()).clean(),

    async clean(): Promise<void> {
      for (const used of [folder, verificationFolder(folder)]) await endOrphansIn(used)
      await (await verification()).clean()
      await pool.clean()
      // Ends the process that moves refs, so that a run whose end is recorded has no process left, even if Looper is
      // killed right after.
      await refs.close()
    },
  }
}
