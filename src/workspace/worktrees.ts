/** Manages workspaces as clones that borrow the user's objects: one for each active task, none inside the checkout. */
import { realpathSync } from 'node:fs'
import type {
  InspectOutcome,
  InspectWork,
  IntegrateOutcome,
  IntegrateWork,
  LeftOutside,
  PrepareOutcome,
  PrepareWork,
  SubmoduleCommit,
  WorkspaceId,
} from '../model/work.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { inTurn, type InTurn } from '../platform/in-turn.ts'
import { endOrphansIn } from '../platform/orphans.ts'
import { createLandings } from './landing/commit.ts'
import { putHead } from './clones/clone-git-dir.ts'
import { inspectOutcome } from './clones/inspect-outcome.ts'
import { integrate as integrateTree, treeOf } from './landing/integrate.ts'
import type { Integration } from './landing/integration.ts'
import { diskError } from './git/full-disk.ts'
import { findOutside } from './clones/outside.ts'
import { publishIndex, type WorkTree } from './clones/work-tree.ts'
import { storeProducts, type Provisions } from './setup/provision.ts'
import { findUnresolved } from './landing/resolution.ts'
import { candidateRef, createRunRefs } from './landing/run-refs.ts'
import { worktreesFolder } from './git/safe-name.ts'
import { takeSnapshot } from './clones/snapshot.ts'
import { populateSubmodules } from './clones/submodules.ts'
import { createWorktreePool } from './clones/worktree-pool.ts'
import { compareTrees, diffText, isGitlink } from './git/tree-changes.ts'
import { chooseWorkspacesFolder, recordedFolder, verificationFolder, workspacesRecord } from './workspaces-folder.ts'
import { openOwnGit } from './own-git.ts'
import { productsOf, type WorktreeOptions } from './worktree-options.ts'
import { openRunHistory } from './landing/run-history.ts'
import { openRunVerification } from './verification/run-verification.ts'
import { keepSubmoduleCommits } from './clones/submodule-commits.ts'
import { moveTo, restoreTree, stateFolder, type Shelf } from './clones/worktree.ts'
import { gitDirsOf } from './clones/worktree-link.ts'

export function createWorktrees(options: WorktreeOptions) {
  const root = realpathSync(options.root)
  const { run, base, workspace, setup, mark } = options
  const { commonDir } = gitDirsOf(root)
  const own = options.backlog === undefined ? [] : [options.backlog]
  const folder =
    recordedFolder(root, run) ?? chooseWorkspacesFolder(root, run, workspace.folder, options.userEnv ?? options.env)
  const { runDir, branch } = options
  const record = options.isScratch === true ? null : workspacesRecord(root, run)
  const git = openOwnGit({ root, commonDir, runDir, branch, base, folder, record, mark })
  const { frozen, call: ownGit } = git
  const shelf: Shelf = { root, commonDir, folder, serially: inTurn(), own, frozen }
  const trees = new Map<string, string>()
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

  const { env, withheld, mask, signal, sandbox, onSetup } = options
  const sharedSetup = {
    root,
    copy: workspace.copy,
    setup,
    env,
    withheld,
    own: options.own,
    mask,
    signal,
    sandbox,
    onSetup,
  }
  const products = productsOf(root, folder, base, options)
  const provisions = async (): Promise<Provisions> => ({
    ...sharedSetup,
    ignoreRules: (await git.load()).ignoreRules,
    ...(products ? { products: { ...products, treeOf: treeOfCommit, make: verification.warm } } : {}),
  })

  /** Runs the jobs of one workspace in order. A file system error becomes an ENVIRONMENT_ error. */
  function inOrder<T>(workspaceId: WorkspaceId, job: () => Promise<T>): Promise<T> {
    const queue = queues.get(workspaceId) ?? inTurn()
    queues.set(workspaceId, queue)
    return queue(job).catch((error: unknown) => {
      const where = pool.where(workspaceId)
      throw diskError(errnoOf(error) === null ? error : ioError(error, where), folder, root)
    })
  }

  const newestTip = async (key: string): Promise<string> => (await refs.tip(key)).commit

  async function treeOfCommit(commit: string, key: string): Promise<string> {
    const known = trees.get(commit) ?? (await git.load()).quick.treeOf(commit)
    const tree = known ?? (await treeOf(commit, await ownGit(key)))
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
      wording: options.wording ?? { goal: '' },
      refs,
      landings,
      trees,
      own: await ownGit(key),
      treeOf: treeOfCommit,
      snapshot: async (from) =>
        (await takeSnapshot(await open(work.workspace, from, key), { id: from }, 'content', key)).tree,
      place: async ({ tree, onto, candidate }) => {
        const workTree = await open(work.workspace, onto, key)
        placed.add(tree)
        await moveTo(workTree, tree, key)
        if (candidate) await refs.move({ candidate }, key)
        await putHead(workTree.gitDir, onto)
        await pool.moved(work.workspace, workTree, onto)
        publishIndex(workTree)
        await pool.equip(workTree, work.workspace, { commit: null, setsUp: true }, key)
      },
    }
  }

  /** Saves commits that agents made in submodules. Returns those that no remote has. */
  async function keepInnerCommits(
    { workspace: id, task, id: workId, base: from, step }: IntegrateWork,
    key: string,
  ): Promise<SubmoduleCommit[]> {
    if (step.kind !== 'merge' || step.tree === null || from === null) return []
    const changes = await compareTrees(from, step.tree, await ownGit(key))
    if (!changes.some(({ to }) => isGitlink(to))) return []
    // After a crash, the workspace has not been opened yet.
    const workTree = pool.workTree(id) ?? (await open(id, from, key))
    return keepSubmoduleCommits(workTree, shelf, changes, candidateRef(run, task, workId), options, key)
  }

  const verification = openRunVerification({
    ...sharedSetup,
    ...(products ? { products } : {}),
    git,
    folder,
    most: options.checksParallel ?? 1,
    mark,
    populate: (workTree, key) => populateSubmodules(workTree, shelf, key),
  })

  const history = openRunHistory({ git, root, run, base, refs, landings, stateFolder: stateFolder(folder), mark })

  /** Files in the workspace that will not land. */
  const outsideOf = async (workTree: WorkTree, id: WorkspaceId, key: string): Promise<LeftOutside[]> =>
    findOutside(workTree, pool.manifest(id), await pool.submodulesOutside(id, key), key)

  return {
    path: pool.path,

    prepare: (work: PrepareWork): Promise<PrepareOutcome> =>
      inOrder(work.workspace, async () => {
        const key = mark(work.id)
        await endOrphansIn(pool.where(work.workspace))
        // The first workspace of a run waits for both.
        const [commit] = await Promise.all([work.at ?? newestTip(key), git.load()])
        const setsUp = work.setup !== false
        const workTree = await pool.prepare(work.workspace, commit, work.id, setsUp, key)
        // Coders come next. A check that is under way has their products made anyway.
        if (!setsUp && !verification.isUsed())
          void storeProducts(workTree, await provisions(), commit, key).catch(() => {})
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
        const workTree = await open(work.workspace, work.base, key)
        const since = work.base ?? work.restore ?? (await newestTip(key))
        const { tree, changes } = await takeSnapshot(workTree, { id: since, tree: trees.get(since) }, 'content', key)
        ;(await git.load()).quick.rememberChanges(since, tree, changes)
        if (work.restore === null || work.restore === tree) {
          const found = inspectOutcome(tree, changes, false)
          if (work.outside) found.outside = await outsideOf(workTree, work.workspace, key)
          const inner = work.outside ? [] : await pool.keepSubmodules(work.workspace, changes, key)
          if (inner.length > 0) found.submodules = inner
          if (!work.resolves) return found
          const unresolved = await findUnresolved({ ...work.resolves, onto: since }, tree, await ownGit(key))
          return { ...found, unresolved }
        }
        const edited = await compareTrees(work.restore, tree, await ownGit(key))
        await restoreTree(workTree, work.restore, key)
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

    ...history,

    verification: verification.verification,
    altered: verification.altered,
    renewed: verification.renewed,
    verified: verification.verified,

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
        const workTree = await open(id, null, key)
        const { tree } = await takeSnapshot(workTree, { id: from, tree: trees.get(from) }, 'content', key)
        return diffText(from, tree, maxChars, await ownGit(key))
      }),

    /** A resumed run reads the settings again, so they are restored while no agent runs. */
    async close(): Promise<void> {
      git.restore()
      await products?.store.close()
      await refs.close()
    },

    /** Removes only verification workspaces, because those of agents may contain work. */
    cleanVerification: verification.clean,

    async clean(): Promise<void> {
      for (const used of [folder, verificationFolder(folder)]) await endOrphansIn(used)
      // Spares for the next run are completed meanwhile.
      const closed = products?.store.close()
      await verification.clean()
      await pool.clean()
      await closed
      // Ends the process that moves refs, so that a run whose end is recorded has no process left, even if Looper is
      // killed right after.
      await refs.close()
    },
  }
}
