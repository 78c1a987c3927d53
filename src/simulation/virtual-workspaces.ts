/** Workspaces on the virtual repository, with the semantics of the real ones: worktrees that merge and land, or the user's checkout. */
import { LooperError } from '../model/error.ts'
import type { Workspaces } from '../model/ports.ts'
import type { InspectOutcome, IntegrateOutcome, IntegrateWork, WorkspaceId } from '../model/work.ts'
import type { Random } from './random.ts'
import { pass, type Life, type VirtualClock } from './virtual-clock.ts'
import { changedPaths, merge, type Files, type VirtualGit } from './virtual-git.ts'

export interface WorkspacesOptions {
  git: VirtualGit
  clock: VirtualClock
  random: Random
  inPlace: boolean
  commits: boolean
  /** Nothing can be written. */
  isFull: () => boolean
  /** Something is done to the repository for this work; returns at once. */
  onStep: (work: string) => void
  onLanded: (work: IntegrateWork, commit: string) => void
}

/** In place, every workspace is the one checkout. */
export const placeOf = (inPlace: boolean, workspace: WorkspaceId): string => (inPlace ? 'checkout' : workspace)

/** `T003/a2/merge1` and `T003/a2/land1` are two steps of one landing. */
const landingOf = (workId: string): string => workId.replace(/\/(?:merge|land)([\d.]*)$/, '/$1')

export function createVirtualWorkspaces(options: WorkspacesOptions, life: Life): Workspaces {
  const { git, clock, random, inPlace, commits } = options
  const queues = new Map<string, Promise<unknown>>()
  const place = (workspace: WorkspaceId): string => placeOf(inPlace, workspace)

  /** Takes its time before and after the moment in which it happens, so that a crash can come on either side. */
  const later = <T>(workspace: WorkspaceId, job: () => T): Promise<T> => {
    const before = queues.get(place(workspace)) ?? Promise.resolve()
    const turn = before.then(async () => {
      await pass(clock, life, random.int(1, 40))
      const result = job()
      await pass(clock, life, random.int(1, 40))
      return result
    })
    queues.set(place(workspace), turn.catch(() => {}))
    return turn
  }
  const write = (): void => {
    if (options.isFull()) throw new LooperError('ENVIRONMENT_DISK_FULL', 'no space left on the device')
  }
  /** A work tree that was deleted is made again. */
  const open = (workspace: WorkspaceId, commit: string | null): Files => {
    const found = git.checkout(place(workspace))
    if (found) return found
    const files = git.filesOf(commit ?? git.tip())
    git.place(place(workspace), files)
    return files
  }

  const inspect = (workspace: WorkspaceId, base: string | null, restore: string | null): InspectOutcome => {
    const files = open(workspace, base)
    const paths = changedPaths(git.filesOf(base ?? restore ?? git.tip()), files)
    const count = paths.length
    return { kind: 'inspect', tree: git.store(files), files: paths, fileCount: count, insertions: count, deletions: 0, restored: false }
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
    return work.step.kind === 'land' ? land(work, work.step.onto, work.step.commit) : mergeStep(work, work.step)
  }
  const mergeStep = (work: IntegrateWork, step: Extract<IntegrateWork['step'], { kind: 'merge' }>): IntegrateOutcome => {
    const tip = git.tip()
    const base = work.base ?? tip
    const tree = step.tree ?? git.store(open(work.workspace, base))
    const commitOf = (content: string): string => git.make({ tree: content, parent: tip, landing: landingOf(work.id), task: work.task })
    if (tree === git.treeOf(base)) return { kind: 'integrate', status: 'landed', commit: null }
    if (base === tip || inPlace) return land(work, tip, commitOf(tree))
    const merged = merge(git.filesOf(base), git.filesOf(tip), git.filesOf(tree))
    if (merged.conflicts.length > 0) return { kind: 'integrate', status: 'conflict', onto: tip, files: merged.conflicts }
    const content = git.store(merged.files)
    if (content === git.treeOf(tip)) return { kind: 'integrate', status: 'landed', commit: null }
    if (step.landAnyway) return land(work, tip, commitOf(content))
    git.place(work.workspace, merged.files)
    return { kind: 'integrate', status: 'merged', commit: commitOf(content), tree: content, onto: tip }
  }

  return {
    path: (workspace) => `/virtual/${place(workspace)}`,
    expect: () => {},
    prepare: (work) => later(work.workspace, () => {
      options.onStep(work.id)
      write()
      const tip = git.tip()
      if (!inPlace) git.place(work.workspace, git.filesOf(tip))
      return { kind: 'prepare', base: tip, tree: git.store(open(work.workspace, tip)) }
    }),
    inspect: (work) => later(work.workspace, () => {
      options.onStep(work.id)
      return inspect(work.workspace, work.base, work.restore)
    }),
    integrate: (work) => later(work.workspace, () => {
      options.onStep(work.id)
      if (inPlace && !commits) return { kind: 'integrate', status: 'landed', commit: null }
      return integrate(work)
    }),
    restore: (workspace, tree) => later(workspace, () => {
      const wanted = git.filesOf(tree)
      const paths = changedPaths(wanted, open(workspace, null))
      if (!inPlace && paths.length > 0) git.place(workspace, wanted)
      return paths
    }),
    diff: (workspace, base) => later(workspace, () => changedPaths(git.filesOf(base), open(workspace, null)).join('\n')),
    async clean() { if (!inPlace) git.removeCheckouts() },
  }
}
