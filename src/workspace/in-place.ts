/**
 * The workspace for running in the user's own checkout. It reads the checkout through a private index, never resets it,
 * and commits only on request.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
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
  PrepareOutcome,
  PrepareWork,
  RollbackOutcome,
  RollbackWork,
  WorkspaceId,
} from '../model/work.ts'
import { errnoOf, ioError, readNow } from '../platform/files.ts'
import { commitOnHead } from './landing/commit-on-head.ts'
import { createHeadReader } from './landing/read-head.ts'
import type { CommitWording } from './landing/commit-message.ts'
import { readChanged } from './git/contents.ts'
import { writeExcludes } from './clones/excludes.ts'
import { inTurn } from '../platform/in-turn.ts'
import { inspectOutcome } from './clones/inspect-outcome.ts'
import { pathsMentioning } from './git/mentions.ts'
import { adoptUsualIndex, replaceFile, type WorkTree } from './clones/work-tree.ts'
import { runSetup, type Provisions } from './setup/provision.ts'
import { trackedPackageFiles } from './setup/equipment-key.ts'
import { setupInputsKey } from './setup/setup.ts'
import { takeSnapshot, type Snapshot } from './clones/snapshot.ts'
import { compareTrees, diffText } from './git/tree-changes.ts'
import { readOnce, readUserSettings } from './git/user-settings.ts'
import { gitDirsOf } from './clones/worktree-link.ts'

export interface InPlaceOptions extends Pick<Provisions, 'env' | 'withheld' | 'own' | 'mask' | 'signal' | 'sandbox'> {
  root: string
  /** The run's folder, which contains Looper's index of the checkout. */
  runDir: string
  run: string
  workspace: Config['workspace']
  /** How commits are worded; absent: as usual. */
  wording?: CommitWording
  /** The path of the backlog file, relative to the root. */
  backlog?: string
  mark: (workId: string) => string
}

export function createInPlace(options: InPlaceOptions) {
  const root = realpathSync(options.root)
  const { run, runDir, workspace, mark, backlog } = options
  const file = (name: string): string => join(runDir, `in-place.${name}`)
  const { gitDir } = gitDirsOf(root)
  const foreign = backlog === undefined ? [] : [backlog]
  const workTree: WorkTree = {
    path: root,
    gitDir,
    index: file('index'),
    excludes: file('exclude'),
    foreign,
    usualIndex: null,
    seen: null,
  }
  const head = createHeadReader(root)
  const inOrder = inTurn()
  const user = readOnce(() => readUserSettings(root, mark('settings')))

  async function inspectTree(base: string, baseTree: string | undefined, key: string): Promise<Snapshot> {
    if (!existsSync(workTree.index)) adoptUsualIndex(workTree)
    if (!existsSync(workTree.excludes)) writeExcludes(workTree, (await user()).ignoreRules)
    return takeSnapshot(workTree, { id: base, tree: baseTree }, 'nothing', key)
  }

  /** Runs only the configured commands: the user has set up their checkout themselves. */
  async function setUp(key: string): Promise<void> {
    const setup = workspace.setup ?? []
    if (setup.length === 0) return
    const keyNow = async (): Promise<string> => setupInputsKey(root, await trackedPackageFiles(root, key), setup)
    if (readNow(file('setup'))?.toString('utf8') === (await keyNow())) return
    for (const line of setup) await runSetup(line, root, options, key)
    replaceFile(file('setup'), await keyNow())
  }

  const guarded = <T>(job: () => Promise<T>): Promise<T> =>
    inOrder(job).catch((error: unknown) => {
      throw errnoOf(error) === null ? error : ioError(error, root)
    })

  return {
    path: (_id: WorkspaceId): string => root,

    release: (): void => {},

    prepare: (work: PrepareWork): Promise<PrepareOutcome> =>
      guarded(async () => {
        const key = mark(work.id)
        if (work.setup !== false) await setUp(key)
        const at = await head.read(key)
        if (work.at !== undefined && work.at !== at.commit) throw notHere('go to another commit')
        const { tree } = await inspectTree(at.commit, at.tree, key)
        replaceFile(file('start'), tree)
        return { kind: 'prepare', base: at.commit, tree }
      }),

    inspect: (work: InspectWork): Promise<InspectOutcome> =>
      guarded(async () => {
        const key = mark(work.id)
        const since = work.base ?? work.restore ?? 'HEAD'
        const { tree, changes } = await inspectTree(since, head.treeOf(since), key)
        return inspectOutcome(tree, changes, false)
      }),

    verification: async (work: CheckWork): Promise<Verification> => {
      throw new LooperError('BUG_INVARIANT', `${work.id}: in place, checks run in the checkout.`)
    },

    verified: (): void => {},
    altered: async (): Promise<Altered> => ({ files: [], control: [] }),
    renewed: async (work: CheckWork): Promise<Verification> => {
      throw new LooperError('BUG_INVARIANT', `${work.id}: in place, checks run in the checkout.`)
    },

    integrate: (work: IntegrateWork): Promise<IntegrateOutcome> =>
      guarded(async () => {
        if (work.step.kind === 'revert') throw notHere('take back a change')
        if (!workspace.commit) return { kind: 'integrate', status: 'landed', commit: null }
        if (work.step.kind !== 'merge')
          throw new LooperError('BUG_INVARIANT', `${work.id}: in place, merging is landing.`)
        const key = mark(work.id)
        const tree = work.step.tree ?? (await inspectTree('HEAD', undefined, key)).tree
        const start = readNow(file('start'))?.toString('utf8') ?? work.base ?? 'HEAD'
        const { identity } = await user()
        return commitOnHead(
          {
            root,
            run,
            wording: options.wording ?? { goal: '' },
            work,
            start,
            tree,
            workTree,
            scratchIndex: file('commit-index'),
            identity,
          },
          key,
        )
      }),

    overlay: async (_overlay: TreeOverlay): Promise<string> => {
      throw notHere('lay other files over yours')
    },

    checkpoint: async (_work: CheckpointWork): Promise<CheckpointOutcome> => {
      throw notHere('make a checkpoint')
    },

    rollback: async (_work: RollbackWork): Promise<RollbackOutcome> => {
      throw notHere('roll back')
    },

    contents: async (
      from: string,
      tree: string,
      maxBytes: number,
      also: readonly string[] = [],
      binary = false,
    ): Promise<ChangedFile[]> => readChanged(from, tree, maxBytes, { cwd: root, mark: mark('contents') }, also, binary),

    changedPaths: async (from: string, tree: string): Promise<string[]> =>
      (await compareTrees(from, tree, { cwd: root, mark: mark('contents') })).map(({ path }) => path),

    mentioning: (tree: string, words: readonly string[]): Promise<string[]> =>
      pathsMentioning(tree, words, { cwd: root, mark: mark('contents') }),

    /** Restores nothing: returns the paths that differ, so that the next turn can report them. */
    restore: (id: WorkspaceId, tree: string): Promise<string[]> =>
      guarded(async () => {
        const { changes } = await inspectTree(tree, undefined, mark(`${id}/restore`))
        return changes.map(({ path }) => path)
      }),

    diff: (id: WorkspaceId, from: string, maxChars: number): Promise<string> =>
      guarded(async () => {
        const key = mark(`${id}/diff`)
        const { tree } = await inspectTree(from, undefined, key)
        return diffText(from, tree, maxChars, { cwd: root, mark: key })
      }),

    clean: async (): Promise<void> => {},
  }
}

const notHere = (what: string): LooperError =>
  new LooperError('WORKSPACE_GIT', `In place, Looper cannot ${what}: the workspace is your own checkout.`, {
    hint: 'Use git there yourself, or let the next run work in worktrees (the default).',
  })
