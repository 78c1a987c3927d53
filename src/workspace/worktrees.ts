/** Workspaces as linked work trees: one for each task, all on the run branch, none in the way of the user's checkout. */
import { existsSync, realpathSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import type { ChangedFile } from '../model/tamper.ts'
import type {
  CheckpointOutcome, CheckpointWork, InspectOutcome, InspectWork, IntegrateOutcome, IntegrateWork, OverlayOutcome, OverlayWork,
  PrepareOutcome, PrepareWork, RollbackOutcome, RollbackWork, WorkspaceId,
} from '../model/work.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { createLandings } from './commit.ts'
import { readChanged } from './contents.ts'
import { writeExcludes } from './excludes.ts'
import { inspectOutcome, noteMarkers } from './inspect-outcome.ts'
import { integrate as integrateTree, treeOf, type Integration } from './integrate.ts'
import { inTurn, type InTurn } from '../platform/in-turn.ts'
import { overlayTree } from './overlay.ts'
import { publishIndex, type Place } from './place.ts'
import { expireSetup, provision, type Provisions } from './provision.ts'
import { rollBack } from './rollback.ts'
import { candidateRef, createRunRefs } from './run-refs.ts'
import { safeName, worktreesFolder } from './safe-name.ts'
import { takeSnapshot } from './snapshot.ts'
import { keepSubmoduleCommits, populateSubmodules } from './submodules.ts'
import { compareTrees, diffText } from './tree-changes.ts'
import { readOnce, readUserSettings } from './user-settings.ts'
import { besides, checkOut, findWorktree, makeWorktree, moveTo, resetWorktree, restoreTree, type Shelf } from './worktree.ts'
import { forgetWorktrees, gitDirsOf } from './worktree-link.ts'

export interface WorktreeOptions extends Pick<Provisions, 'env' | 'mask' | 'signal'> {
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
  const places = new Map<WorkspaceId, Place>()
  const queues = new Map<WorkspaceId, InTurn>()
  /** Made ahead and used by nobody yet, with the commit each is at. */
  const spare = new Map<WorkspaceId, Promise<string | null>>()
  const user = readOnce(() => readUserSettings(root, mark('settings')))

  const provisions = async (): Promise<Provisions> => ({
    root, copy: workspace.copy, setup, ignoreRules: (await user()).ignoreRules,
    env: options.env, mask: options.mask, signal: options.signal,
  })

  /** Work in one workspace is done in order; what the disk refuses is told in its own words. */
  function inOrder<T>(workspaceId: WorkspaceId, job: () => Promise<T>): Promise<T> {
    const queue = queues.get(workspaceId) ?? inTurn()
    queues.set(workspaceId, queue)
    return queue(job).catch((error: unknown) => {
      throw errnoOf(error) === null ? error : ioError(error, besides(shelf.folder, safeName(workspaceId)).path)
    })
  }

  const newestTip = async (key: string): Promise<string> => (await refs.tip(key)).commit

  async function treeOfCommit(commit: string, key: string): Promise<string> {
    const tree = trees.get(commit) ?? (await treeOf(commit, { cwd: root, mark: key }))
    trees.set(commit, tree)
    return tree
  }

  async function equip(place: Place, id: WorkspaceId, key: string): Promise<void> {
    await populateSubmodules(place, gitDir, key)
    await provision(place, besides(shelf.folder, safeName(id)).stamp, await provisions(), key)
  }

  async function make(id: WorkspaceId, commit: string, key: string): Promise<Place> {
    const place = await makeWorktree(shelf, safeName(id), commit, key)
    places.set(id, place)
    await equip(place, id, key)
    return place
  }

  /** The workspace as it was left, mended where it must be; made again when it is gone. */
  async function open(id: WorkspaceId, commit: string | null, key: string): Promise<Place> {
    const onto = async (): Promise<string> => commit ?? (await newestTip(key))
    const found = await findWorktree(shelf, safeName(id), key, onto)
    if (!found) return make(id, await onto(), key)
    const place: Place = { ...found, usualIndex: places.get(id)?.usualIndex ?? null }
    if (!existsSync(place.excludes)) await writeExcludes(place, (await user()).ignoreRules)
    places.set(id, place)
    return place
  }

  /** Without set-up, which may take long and belongs to the task. Whatever goes wrong will be met again, and told, by `prepare`. */
  async function makeSpare(id: WorkspaceId): Promise<string | null> {
    const key = mark(`${id}/spare`)
    try {
      if (existsSync(besides(shelf.folder, safeName(id)).path)) return null
      const tip = await newestTip(key)
      places.set(id, await makeWorktree(shelf, safeName(id), tip, key))
      return tip
    } catch {
      return null
    }
  }

  /** Nobody has been in it: there is nothing to clean. */
  async function useSpare(id: WorkspaceId, tip: string, key: string): Promise<boolean> {
    const at = await spare.get(id)
    spare.delete(id)
    const place = places.get(id)
    if (!at || !place || !existsSync(join(place.path, '.git'))) return false
    if (at !== tip && !(await checkOut(place, tip, key).then(() => true, () => false))) return false
    if (at !== tip) await publishIndex(place)
    await equip(place, id, key)
    return true
  }

  async function prepareAt(id: WorkspaceId, tip: string, key: string): Promise<void> {
    if (await useSpare(id, tip, key)) return
    const finished = existsSync(besides(shelf.folder, safeName(id)).index)
    const found = finished ? await findWorktree(shelf, safeName(id), key, async () => tip) : null
    if (!found) return void (await make(id, tip, key))
    places.set(id, found)
    await writeExcludes(found, (await user()).ignoreRules)
    await expireSetup(found, besides(shelf.folder, safeName(id)).stamp, setup)
    try {
      await resetWorktree(found, tip, key)
    } catch (error) {
      if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_GIT') throw error
      return void (await make(id, tip, key))
    }
    await equip(found, id, key)
  }

  async function integration(work: IntegrateWork, key: string): Promise<Integration> {
    return {
      root, run, refs, landings, trees, identity: (await user()).identity, treeOf: treeOfCommit,
      snapshot: async (from) => (await takeSnapshot(await open(work.workspace, from, key), { id: from }, 'content', key)).tree,
      place: async ({ tree, onto, candidate }) => {
        const place = await open(work.workspace, onto, key)
        await moveTo(place, tree, key)
        await refs.move({ ...(candidate ? { candidate } : {}), head: { place, commit: onto } }, key)
        await publishIndex(place)
        await equip(place, work.workspace, key)
      },
    }
  }

  /** Only a repository with submodules can have commits of theirs to keep. */
  async function keepInnerCommits({ workspace: id, task, id: workId, base: from, step }: IntegrateWork, key: string): Promise<void> {
    const place = places.get(id)
    if (step.kind !== 'merge' || step.tree === null || from === null || !place || !existsSync(join(place.path, '.gitmodules'))) return
    const changes = await compareTrees(from, step.tree, { cwd: root, mark: key })
    await keepSubmoduleCommits(place, gitDir, changes, candidateRef(run, task, workId), key)
  }

  return {
    path: (id: WorkspaceId): string => besides(shelf.folder, safeName(id)).path,

    prepare: (work: PrepareWork): Promise<PrepareOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const commit = work.at ?? (await newestTip(key))
      await prepareAt(work.workspace, commit, key)
      return { kind: 'prepare', base: commit, tree: await treeOfCommit(commit, key) }
    }),

    expect(ids: readonly WorkspaceId[]): void {
      for (const id of ids) if (!places.has(id) && !spare.has(id)) spare.set(id, makeSpare(id))
    },

    inspect: (work: InspectWork): Promise<InspectOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const place = await open(work.workspace, work.base, key)
      const since = work.base ?? work.restore ?? (await newestTip(key))
      const { tree, changes } = await takeSnapshot(place, { id: since, tree: trees.get(since) }, 'content', key)
      const marked = (found: InspectOutcome): Promise<InspectOutcome> =>
        (work.markers ? noteMarkers(found, since, { cwd: root, mark: key }) : Promise.resolve(found))
      if (work.restore === null || work.restore === tree) return marked(inspectOutcome(tree, changes, false))
      const edited = await compareTrees(work.restore, tree, { cwd: root, mark: key })
      await restoreTree(place, work.restore, key)
      return marked(inspectOutcome(work.restore, edited, true))
    }),

    integrate: (work: IntegrateWork): Promise<IntegrateOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      await keepInnerCommits(work, key)
      return integrateTree(work, await integration(work, key), key)
    }),

    overlay: (work: OverlayWork): Promise<OverlayOutcome> => inOrder(work.workspace, async () => {
      const key = mark(work.id)
      const place = await open(work.workspace, work.base, key)
      const tree = await overlayTree({ ...work, place }, key)
      await moveTo(place, tree, key)
      return { kind: 'overlay', tree }
    }),

    checkpoint: async (work: CheckpointWork): Promise<CheckpointOutcome> =>
      makeCheckpoint(work, run, { cwd: root, mark: mark(work.id) }),

    rollback: async (work: RollbackWork): Promise<RollbackOutcome> => rollBack(work, { root, run, base, refs, landings }, mark(work.id)),

    contents: async (from: string, tree: string, maxBytes: number): Promise<ChangedFile[]> =>
      readChanged(from, tree, maxBytes, { cwd: root, mark: mark('contents') }),

    restore: (id: WorkspaceId, tree: string): Promise<string[]> => inOrder(id, async () => {
      const key = mark(`${id}/restore`)
      return restoreTree(await open(id, null, key), tree, key)
    }),

    diff: (id: WorkspaceId, from: string, maxChars: number): Promise<string> => inOrder(id, async () => {
      const key = mark(`${id}/diff`)
      const place = await open(id, null, key)
      const { tree } = await takeSnapshot(place, { id: from, tree: trees.get(from) }, 'content', key)
      return diffText(from, tree, maxChars, { cwd: root, mark: key })
    }),

    clean: async (): Promise<void> => {
      await Promise.all(spare.values())
      await shelf.serially(() => forgetWorktrees(commonDir, shelf.folder))
      places.clear()
      await rmdir(dirname(shelf.folder)).catch(() => {})
    },
  }
}
