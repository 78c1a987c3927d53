/**
 * Workspaces on the virtual repository, with the semantics of the real ones: worktrees that merge and land, or the
 * user's checkout.
 */
import { LooperError } from '../model/error.ts'
import type { TreeOverlay } from '../model/ports/site.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { landingOf } from '../model/work-id.ts'
import type {
  InspectOutcome,
  InspectWork,
  IntegrateOutcome,
  IntegrateWork,
  RollbackOutcome,
  RollbackWork,
  WorkspaceId,
} from '../model/work.ts'
import type { Random } from './random.ts'
import { pass, type Life, type VirtualClock } from './virtual-clock.ts'
import { changedPaths, merge, rollBack, tracked, unresolved, type Files, type VirtualGit } from './virtual-git.ts'
import { createVirtualVerification, type VerificationFolders } from './virtual-verification.ts'

export interface WorkspacesOptions {
  git: VirtualGit
  clock: VirtualClock
  random: Random
  inPlace: boolean
  commits: boolean
  /** The verification workspaces, and how many may be in use. */
  folders?: VerificationFolders
  checksParallel?: number
  /** Whether the disk is full. */
  isFull: () => boolean
  /** Called when git does something for this work; returns at once. */
  onStep: (work: string) => void
  onLanded: (work: IntegrateWork, commit: string) => void
  onRolledBack?: (work: RollbackWork) => void
}

/** In place, every workspace is the user's checkout. */
export const workspaceIn = (inPlace: boolean, workspace: WorkspaceId): string => (inPlace ? 'checkout' : workspace)

export function createVirtualWorkspaces(options: WorkspacesOptions, life: Life): Workspaces {
  const { git, clock, random, inPlace, commits } = options
  const queues = new Map<string, Promise<unknown>>()
  const checkoutOf = (workspace: WorkspaceId): string => workspaceIn(inPlace, workspace)
  const { folders = new Map<string, Files>(), checksParallel = 2 } = options
  const verification = createVirtualVerification({ git, folders, most: checksParallel, life: life.n })

  /** Delays before and after the action, so that a crash can strike on either side of it. */
  const later = <T>(workspace: WorkspaceId, job: () => T): Promise<T> => {
    const before = queues.get(checkoutOf(workspace)) ?? Promise.resolve()
    const turn = before.then(async () => {
      await pass(clock, life, random.int(1, 40))
      const result = job()
      await pass(clock, life, random.int(1, 40))
      return result
    })
    queues.set(
      checkoutOf(workspace),
      turn.catch(() => {}),
    )
    return turn
  }
  const write = (): void => {
    if (options.isFull()) throw new LooperError('ENVIRONMENT_DISK_FULL', 'no space left on the device')
  }
  /** Recreates a deleted worktree. */
  const open = (workspace: WorkspaceId, commit: string | null): Files => {
    const found = git.checkout(checkoutOf(workspace))
    if (found) return found
    const files = git.filesOf(commit ?? git.tip())
    git.place(checkoutOf(workspace), files)
    return files
  }

  const contentOf = (files: Files, path: string): string | null =>
    files[path] === undefined ? null : git.store({ [path]: files[path] })
  const inspect = ({ workspace, base, restore, resolves }: InspectWork): InspectOutcome => {
    const found = tracked(open(workspace, base))
    const isRestored = restore !== null && !inPlace && git.store(found) !== restore
    const files = isRestored ? git.filesOf(restore) : found
    if (isRestored) git.place(workspace, files)
    const since = git.filesOf(base ?? restore ?? git.tip())
    const paths = isRestored ? changedPaths(files, found) : changedPaths(since, files)
    const count = paths.length
    return {
      kind: 'inspect',
      tree: git.store(files),
      files: paths,
      fileCount: count,
      insertions: count,
      deletions: 0,
      restored: isRestored,
      hashes: Object.fromEntries(paths.map((path) => [path, contentOf(files, path)])),
      was: paths.map((path) => contentOf(since, path)),
      ...(resolves
        ? { unresolved: unresolved(since, git.filesOf(resolves.theirs), git.filesOf(resolves.tree), files) }
        : {}),
    }
  }
  const land = (work: IntegrateWork, from: string, commit: string): IntegrateOutcome => {
    if (!git.move(from, commit)) return { kind: 'integrate', status: 'moved' }
    options.onLanded(work, commit)
    return { kind: 'integrate', status: 'landed', commit }
  }
  const integrate = (work: IntegrateWork): IntegrateOutcome => {
    write()
    const landed = git.log().find(({ landing }) => landing === landingOf(work.id))
    if (landed) return { kind: 'integrate', status: 'landed', commit: landed.id }
    switch (work.step.kind) {
      case 'merge':
        return mergeStep(work, work.step)
      case 'revert':
        return revertStep(work, work.step.commit)
      case 'move':
        return moveStep(work, work.step.tree)
      case 'land':
        return land(work, work.step.onto, work.step.commit)
    }
  }
  const moveStep = ({ workspace }: IntegrateWork, tree: string): IntegrateOutcome => {
    git.place(workspace, git.filesOf(tree))
    return { kind: 'integrate', status: 'placed' }
  }
  const conflict = (workspace: WorkspaceId, onto: string, { conflicts, marked }: ReturnType<typeof merge>) => {
    git.place(workspace, marked)
    return { kind: 'integrate', status: 'conflict', onto, files: conflicts, tree: git.store(marked) } as const
  }
  const revertStep = (work: IntegrateWork, commit: string): IntegrateOutcome => {
    if (inPlace) throw notHere('take back a change')
    const tip = git.tip()
    const { parent } = git.commit(commit)
    if (parent === null || !git.isIn(commit, tip)) return { kind: 'integrate', status: 'landed', commit: null }
    const merged = merge(git.filesOf(commit), git.filesOf(tip), git.filesOf(parent))
    if (merged.conflicts.length > 0) return conflict(work.workspace, tip, merged)
    const tree = git.store(merged.files)
    if (tree === git.treeOf(tip)) return { kind: 'integrate', status: 'landed', commit: null }
    const made = git.make({ tree, parent: tip, landing: landingOf(work.id), task: work.task })
    return { kind: 'integrate', status: 'merged', commit: made, tree, onto: tip }
  }
  const mergeStep = (
    work: IntegrateWork,
    step: Extract<IntegrateWork['step'], { kind: 'merge' }>,
  ): IntegrateOutcome => {
    const tip = step.onto ?? git.tip()
    const base = work.base ?? tip
    const tree = step.tree ?? git.store(open(work.workspace, base))
    const commitOf = (content: string): string =>
      git.make({ tree: content, parent: tip, landing: landingOf(work.id), task: work.task })
    if (tree === git.treeOf(base)) return { kind: 'integrate', status: 'landed', commit: null }
    const isStacked = step.onto === undefined ? {} : ({ stacked: true } as const)
    const merged = inPlace
      ? { files: git.filesOf(tree), conflicts: [], marked: {} }
      : merge(git.filesOf(base), git.filesOf(tip), git.filesOf(tree))
    if (merged.conflicts.length > 0 && step.onto !== undefined) {
      const marked = git.store(merged.marked)
      return {
        kind: 'integrate',
        status: 'conflict',
        onto: tip,
        files: merged.conflicts,
        tree: marked,
        theirs: tree,
        ...isStacked,
      }
    }
    if (merged.conflicts.length > 0) return { ...conflict(work.workspace, tip, merged), theirs: tree }
    const content = git.store(merged.files)
    if (content === git.treeOf(tip) && step.onto === undefined)
      return { kind: 'integrate', status: 'landed', commit: null }
    if (step.landAnyway) return land(work, tip, commitOf(content))
    return { kind: 'integrate', status: 'merged', commit: commitOf(content), tree: content, onto: tip, ...isStacked }
  }

  const rollback = (work: RollbackWork): RollbackOutcome => {
    if (inPlace) throw notHere('roll back')
    write()
    const done = rollBack(git, work.from, work.to)
    if (done?.moved) options.onRolledBack?.(work)
    return done
      ? { kind: 'rollback', status: 'done', kept: done.kept }
      : { kind: 'rollback', status: 'moved', kept: null }
  }
  const overlay = ({ base, tree, paths }: TreeOverlay): string => {
    if (inPlace) throw notHere('lay other files over yours')
    write()
    const from = git.filesOf(tree)
    const chosen = new Set(paths)
    const rest = Object.entries(git.filesOf(base)).filter(([path]) => !chosen.has(path))
    const files = Object.fromEntries([...rest, ...Object.entries(from).filter(([path]) => chosen.has(path))])
    return git.store(files)
  }

  return {
    path: (workspace) => `/virtual/${checkoutOf(workspace)}`,
    release(workspace) {
      if (!inPlace) git.removeCheckout(workspace)
    },
    prepare: (work) =>
      later(work.workspace, () => {
        options.onStep(work.id)
        write()
        const commit = work.at ?? git.tip()
        if (inPlace && commit !== git.tip()) throw notHere('go to another commit')
        if (!inPlace) git.place(work.workspace, git.filesOf(commit))
        return { kind: 'prepare', base: commit, tree: git.store(open(work.workspace, commit)) }
      }),
    inspect: (work) =>
      later(work.workspace, () => {
        options.onStep(work.id)
        return inspect(work)
      }),
    async verification(work) {
      await pass(clock, life, random.int(1, 40))
      write()
      return verification.take(work)
    },
    verified: verification.verified,
    altered: async () => ({ files: [], control: [] }),
    renewed: async ({ tree, commit = '' }) => ({ path: '/virtual/verification', tree: git.treeOf(tree ?? commit) }),
    integrate: (work) =>
      later(work.workspace, () => {
        options.onStep(work.id)
        if (inPlace && !commits) return { kind: 'integrate', status: 'landed', commit: null }
        return integrate(work)
      }),
    overlay: (given) =>
      later('main', () => {
        options.onStep(given.id)
        return overlay(given)
      }),
    checkpoint: (work) =>
      later('main', () => {
        options.onStep(work.id)
        write()
        const ref = `checkpoints/${work.name}`
        git.refs.set(ref, work.commit)
        return { kind: 'checkpoint', ref }
      }),
    rollback: (work) =>
      later('main', () => {
        options.onStep(work.id)
        return rollback(work)
      }),
    restore: (workspace, tree) =>
      later(workspace, () => {
        const wanted = git.filesOf(tree)
        const paths = changedPaths(wanted, tracked(open(workspace, null)))
        if (!inPlace && paths.length > 0) git.place(workspace, wanted)
        return paths
      }),
    diff: (workspace, base) =>
      later(workspace, () => changedPaths(git.filesOf(base), open(workspace, null)).join('\n')),
    async contents(from, tree) {
      const [before, after] = [git.filesOf(from), git.filesOf(tree)]
      return changedPaths(before, after).map((path) => ({
        path,
        before: before[path] ?? null,
        after: after[path] ?? null,
      }))
    },
    changedPaths: async (from, tree) => changedPaths(git.filesOf(from), git.filesOf(tree)),
    mentioning: async (tree, words) =>
      Object.entries(git.filesOf(tree)).flatMap(([path, text]) =>
        words.some((word) => text.includes(word)) ? [path] : [],
      ),
    async clean() {
      if (!inPlace) git.removeCheckouts()
    },
  }
}

const notHere = (what: string): LooperError => new LooperError('WORKSPACE_GIT', `in place, Looper cannot ${what}`)
