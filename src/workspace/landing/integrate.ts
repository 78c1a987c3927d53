/** Brings a task's tree onto the run branch without touching a checkout: merge, then land. Each step is idempotent. */
import type { IntegrateOutcome, IntegrateWork } from '../../model/work.ts'
import { lastPart } from '../../model/work-id.ts'
import { makeCommit, messageOf } from './commit.ts'
import { git, tryGit, type GitCall } from '../git/git.ts'
import type { Integration, Result } from './integration.ts'
import { mergeTrees, type Merged } from '../git/merge-trees.ts'
import { revert } from './revert.ts'
import { candidateRef, type Tip } from './run-refs.ts'

const mergeTries = 10

export async function integrate(
  work: IntegrateWork,
  integration: Integration,
  mark: string,
): Promise<IntegrateOutcome> {
  return { kind: 'integrate', ...(await take(work, integration, mark)) }
}

async function take(work: IntegrateWork, integration: Integration, mark: string): Promise<Result> {
  const { step } = work
  switch (step.kind) {
    case 'merge':
      return merge(work, step, integration, mark)
    case 'revert':
      return revert(work, step.commit, integration, mark)
    case 'move':
      await integration.place(step)
      return { status: 'placed' }
    case 'land':
      return land(work, step, integration, mark)
  }
}

type MergeStep = Extract<IntegrateWork['step'], { kind: 'merge' }>
type LandStep = Extract<IntegrateWork['step'], { kind: 'land' }>

async function merge(work: IntegrateWork, step: MergeStep, integration: Integration, mark: string): Promise<Result> {
  for (let tried = 0; tried < mergeTries; tried++) {
    const tip =
      step.onto === undefined
        ? await integration.refs.movableTip(mark)
        : { commit: step.onto, tree: await integration.treeOf(step.onto, mark) }
    const result = await mergeOnto(tip, work, step, integration, mark).catch(async (error: unknown) => {
      if (tried === 0 && (await bringBack(step, work.base ?? tip.commit, integration, mark))) return 'moved' as const
      throw error
    })
    if (result !== 'moved') return result
  }
  return { status: 'moved' }
}

/**
 * No ref protects a tree before it is merged, so git may have pruned it while the run was paused. The files still
 * exist, so a new snapshot restores it.
 */
async function bringBack(
  { tree }: MergeStep,
  base: string,
  { root, snapshot }: Integration,
  mark: string,
): Promise<boolean> {
  return tree !== null && !(await isThere(tree, { cwd: root, mark })) && (await snapshot(base)) === tree
}

async function mergeOnto(
  tip: Tip,
  work: IntegrateWork,
  step: MergeStep,
  integration: Integration,
  mark: string,
): Promise<Result | 'moved'> {
  const { run, wording, refs, landings, trees, own: call } = integration
  const base = work.base ?? tip.commit
  const baseTree = base === tip.commit ? tip.tree : await integration.treeOf(base, mark)
  const tree = step.tree ?? (await integration.snapshot(base))
  if (tree === baseTree || base !== tip.commit) {
    const landed = step.onto === undefined ? await landings.find(work.id, tip.commit) : null
    if (landed !== null || tree === baseTree) return { status: 'landed', commit: landed }
  }
  const message = messageOf(run, work, wording)
  const commitOf = (parent: string, content: string): Promise<string> =>
    makeCommit({ tree: content, parents: [parent], message }, call)
  const candidate = { ref: candidateRef(run, work.task, work.id), commit: await commitOf(base, tree) }
  trees.set(candidate.commit, tree)
  const quickly =
    base === tip.commit
      ? tree
      : (call.quick?.merge({ commit: base, tree: baseTree }, tip, { commit: candidate.commit, tree }) ?? null)
  const merged = quickly === null ? await mergeTrees(tip.commit, candidate.commit, call) : cleanly(quickly)
  if (!merged.clean) return conflictOf(tip, work, step, merged, { ...candidate, integration }, mark)
  const isThereAlready = merged.tree === tip.tree && step.onto === undefined
  const commit = isThereAlready
    ? tip.commit
    : base === tip.commit
      ? candidate.commit
      : await commitOf(tip.commit, merged.tree)
  const lands = step.landAnyway && !isThereAlready
  const waits = !lands && commit !== candidate.commit && commit !== tip.commit
  const isMoved = await refs.move(
    {
      candidate,
      ...(lands ? { branch: { from: tip.commit, to: commit } } : {}),
      ...(waits ? { merged: { ref: `${candidate.ref}-merged`, commit } } : {}),
    },
    mark,
  )
  if (isThereAlready) return { status: 'landed', commit: null }
  trees.set(commit, merged.tree)
  if (!lands) {
    return {
      status: 'merged',
      commit,
      tree: merged.tree,
      onto: tip.commit,
      ...(step.onto === undefined ? {} : { stacked: true }),
    }
  }
  if (!isMoved) return 'moved'
  landings.add(work.id, tip.commit, commit)
  return { status: 'landed', commit }
}

const cleanly = (tree: string): Merged => ({ tree, clean: true, conflicts: [], stages: [] })

interface Kept {
  ref: string
  commit: string
  integration: Integration
}

/**
 * On a conflict with the run branch, the workspace gets both sides to resolve. A conflict with a candidate that has not
 * landed is not resolved yet.
 */
async function conflictOf(
  tip: Tip,
  work: IntegrateWork,
  { onto }: MergeStep,
  { tree, conflicts }: Merged,
  { ref, commit, integration }: Kept,
  mark: string,
): Promise<Result> {
  const found = { status: 'conflict', onto: tip.commit, files: conflicts, tree, theirs: commit } as const
  if (onto !== undefined) return { ...found, stacked: true }
  await integration.place({ tree, onto: tip.commit, candidate: { ref, commit } })
  // The resolution becomes the attempt's candidate under `ref`, so the conflicting commit is saved under another name.
  await integration.refs.move({ candidate: { ref: `${ref}-${lastPart(work.id)}`, commit } }, mark)
  return found
}

async function land(
  work: IntegrateWork,
  { commit, onto }: LandStep,
  { root, refs, landings }: Integration,
  mark: string,
): Promise<Result> {
  const tip = await refs.movableTip(mark)
  const move = (): Promise<boolean> =>
    refs.move({ branch: { from: onto, to: commit } }, mark).catch(async (error: unknown) => {
      // No ref protects the commit before it lands, so git may have pruned it while the run was paused. Then it is
      // merged again.
      if (await isThere(commit, { cwd: root, mark })) throw error
      return false
    })
  if (tip.commit === onto && (await move())) {
    landings.add(work.id, onto, commit)
    return { status: 'landed', commit }
  }
  const landed = await landings.find(work.id, (await refs.tip(mark)).commit)
  return landed === null ? { status: 'moved' } : { status: 'landed', commit: landed }
}

const isThere = async (object: string, call: GitCall): Promise<boolean> =>
  (await tryGit(['cat-file', '-e', object], call)).exitCode === 0

/** The tree of a commit or of a tree. */
export const treeOf = (commit: string, call: GitCall): Promise<string> =>
  git(['rev-parse', '--verify', `${commit}^{tree}`], call)
