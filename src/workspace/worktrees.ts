/** Workspaces as linked work trees: one for each task under way, all on the run branch, none in the way of the user's checkout. */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../model/config.ts'
import type { ChangedFile } from '../model/tamper.ts'
import type {
  CheckpointOutcome, CheckpointWork, InspectOutcome, InspectWork, IntegrateOutcome, IntegrateWork, OverlayOutcome, OverlayWork,
  PrepareOutcome, PrepareWork, RollbackOutcome, RollbackWork, WorkspaceId,
} from '../model/work.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { inTurn, type InTurn } from '../platform/in-turn.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { createLandings } from './commit.ts'
import { readChanged } from './contents.ts'
import { inspectOutcome } from './inspect-outcome.ts'
import { integrate as integrateTree, treeOf, type Integration } from './integrate.ts'
import { overlayTree } from './overlay.ts'
import { publishIndex } from './place.ts'
import type { Provisions } from './provision.ts'
import { findUnresolved } from './resolution.ts'
import { rollBack } from './rollback.ts'
import { candidateRef, createRunRefs } from './run-refs.ts'
import { worktreesFolder } from './safe-name.ts'
import { takeSnapshot } from './snapshot.ts'
import { keepSubmoduleCommits } from './submodules.ts'
import { createTenancy } from './tenancy.ts'
import { compareTrees, diffText } from './tree-changes.ts'
import { readOnce, readUserSettings } from './user-settings.ts'
import { moveTo, restoreTree, type Shelf } from './worktree.ts'
import { clearLeftovers, gitDirsOf } from './worktree-link.ts'

export interface WorktreeOptions extends Pick<Provisions, 'env' | 'mask' | 'signal' | 'sandbox'> {
  root: string
  run: string
  branch: string
  /** The commit the run starts from. */
  base: string
  workspace: Config['workspace']
  /** The backlog file, from the root: the user's own, wherever it is. */
  backlog?: string
  /** The commands in force: configured or discovered. */
  setup: readonly string[]
  mark: (workId: string) => string
}

export function createWorktrees(options: WorktreeOptions) {
  const root = realpathSync(options.root)
  const { run, base, workspace, setup, mark } = options
  const { gitDir, commonDir } = gitDirsOf(root)
  const own = options.backlog === undefined ? [] : [options.backlog]
  const shelf: Shelf = { root, commonDir, folder: worktreesFolder(root, run), serially: inTurn(), own }
  const trees = new Map<string, string>()
  const refs = createRunRefs({ root, commonDir, run, branch: options.branch, base, worktrees: shelf.folder, trees })
  const landings = createLandings(base, { cwd: root, mark: mark('landings') })
  const queues = new Map<WorkspaceId, InTurn>()
  /** Trees that Looper itself has put into a work tree: there is nothing to keep of those. */
  const placed = new Set<string>()
  const isKnown = (tree: string): boolean => placed.has(tree) || [...trees.values()].includes(tree)
  const user = readOnce(() => readUserSettings(root, mark('settings')))

  const provisions = async (): Promise<Provisions> => ({
    root, copy: workspace.copy, setup, ignoreRules: (await user()).ignoreRules,
    env: options.env, mask: options.mask, signal: options.signal, sandbox: options.sandbox,
  })

  /** Work in one workspace is done in order; what the disk refuses is told in its own words. */
  function inOrder<T>(workspaceId: WorkspaceId, job: () => Promise<T>): Promise<T> {
    const queue = queues.get(workspaceId) ?? inTurn()
    queues.set(workspaceId, queue)
    return queue(job).catch((error: unknown) => {
      throw errnoOf(error) === null ? error : ioError(error, tenancy.where(workspaceId))
    })
  }

  const newestTip = async (key: string): Promise<string> => (await refs.tip(key)).commit

  async function treeOfCommit(commit: string, key: string): Promise<string> {
    const tree = trees.get(commit) ?? (await treeOf(commit, { cwd: root, mark: key }))
    trees.set(commit, tree)
    return tree
  }

  const tenancy = createTenancy({
    shelf, gitDir, setup, mark, provisions, newestTip,
    keeping: { root, commonDir, run, refs, isKnown, identity: async () => (await user()).identity, treeOf: treeOfCommit },
  })
  const { open } = tenancy

  async function integration(work: IntegrateWork, key: string): Promise<Integration> {
    return {
      root, run, refs, landings, trees, identity: (await user()).identity, treeOf: treeOfCommit,
      snapshot: async (from) => (await takeSnapshot(await open(work.workspace, from, key), { id: from }, 'content', key)).tree,
      place: async ({ tree, onto, candidate }) => {
        const place = await open(work.workspace, onto, key)
        placed.add(tree)
        await clearLeftovers(place.gitDir)
        await moveTo(place, tree, key)
        await refs.move({ ...(candidate ? { candidate } : {}), head: { place, commit: onto } }, key)
        await tenancy.moved(work.workspace, place, onto)
        publishIndex(place)
        await tenancy.equip(place, work.workspace, key)
      },
    }
  }

  /** Only a repository with submodules can have commits of theirs to keep. */
  async function keepInnerCommits({ workspace: id, task, id: workId, base: from, step }: IntegrateWork, key: string): Promise<void> {
    const place = tenancy.place(id)
    if (step.kind !== 'merge' || step.tree === null || from === null || !place || !existsSync(join(place.path, '.gitmodules'))) return
    const changes = await compareTrees(from, step.tree, { cwd: root, mark: key })
    await keepSubmoduleCommits(place, gitDir, changes, candidateRef(run, task, workId), key)
  }

  return {
    path: tenancy.path,

    prepare: (work: PrepareWork): Promise<PrepareOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const commit = work.at ?? (await newestTip(key))
      await tenancy.prepare(work.workspace, commit, work.id, key)
      return { kind: 'prepare', base: commit, tree: await treeOfCommit(commit, key) }
    }),

    /** After what is still under way there. Only a hint: what goes wrong with it will be met by whoever comes next. */
    release(id: WorkspaceId): void {
      void inOrder(id, () => tenancy.release(id)).catch(() => {})
    },

    inspect: (work: InspectWork): Promise<InspectOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const place = await open(work.workspace, work.base, key)
      const since = work.base ?? work.restore ?? (await newestTip(key))
      const { tree, changes } = await takeSnapshot(place, { id: since, tree: trees.get(since) }, 'content', key)
      if (work.restore === null || work.restore === tree) {
        const found = inspectOutcome(tree, changes, false)
        if (!work.resolves) return found
        return { ...found, unresolved: await findUnresolved({ ...work.resolves, onto: since }, tree, { cwd: root, mark: key }) }
      }
      const edited = await compareTrees(work.restore, tree, { cwd: root, mark: key })
      await restoreTree(place, work.restore, key)
      await tenancy.cover(work.workspace, null)
      return inspectOutcome(work.restore, edited, true)
    }),

    integrate: (work: IntegrateWork): Promise<IntegrateOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      await keepInnerCommits(work, key)
      if (work.step.kind !== 'land') await tenancy.keepCommits(work.workspace, key)
      const outcome = await integrateTree(work, await integration(work, key), key)
      if (outcome.status === 'landed') tenancy.settle(work.workspace)
      return outcome
    }),

    overlay: (work: OverlayWork): Promise<OverlayOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const place = await open(work.workspace, work.base, key)
      const tree = await overlayTree({ ...work, place }, key)
      await tenancy.cover(work.workspace, work.tree)
      await moveTo(place, tree, key)
      return { kind: 'overlay', tree }
    }),

    checkpoint: async (work: CheckpointWork): Promise<CheckpointOutcome> =>
      makeCheckpoint(work, run, { cwd: root, mark: mark(work.id) }),

    rollback: async (work: RollbackWork): Promise<RollbackOutcome> => rollBack(work, { root, run, base, refs, landings }, mark(work.id)),

    /** The commit of this work's landing, if it is on the branch. */
    landed: async (workId: string): Promise<string | null> => landings.find(workId, await newestTip(mark(workId))),

    contents: async (from: string, tree: string, maxBytes: number, also?: readonly string[]): Promise<ChangedFile[]> =>
      readChanged(from, tree, maxBytes, { cwd: root, mark: mark('contents') }, also),

    restore: (id: WorkspaceId, tree: string): Promise<string[]> => inOrder(id, async () => {
      const key = mark(`${id}/restore`)
      const paths = await restoreTree(await open(id, null, key), tree, key)
      await tenancy.cover(id, null)
      if (isKnown(tree)) tenancy.settle(id)
      return paths
    }),

    diff: (id: WorkspaceId, from: string, maxChars: number): Promise<string> => inOrder(id, async () => {
      const key = mark(`${id}/diff`)
      const place = await open(id, null, key)
      const { tree } = await takeSnapshot(place, { id: from, tree: trees.get(from) }, 'content', key)
      return diffText(from, tree, maxChars, { cwd: root, mark: key })
    }),

    clean: tenancy.clean,
  }
}
