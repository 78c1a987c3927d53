/** Brings a task's tree onto the run branch without ever touching a checkout: merge, then land, each safe to repeat. */
import { LooperError } from '../model/error.ts'
import type { IntegrateOutcome, IntegrateWork } from '../model/work.ts'
import { makeCommit, messageOf, type Landings } from './commit.ts'
import { git, gitError, tryGit, type GitCall } from './git.ts'
import { candidateRef, type RunRefs, type Tip } from './run-refs.ts'

export interface Integration {
  root: string
  run: string
  refs: RunRefs
  landings: Landings
  /** Trees of commits, as far as they are known. */
  trees: Map<string, string>
  identity: Record<string, string>
  treeOf(commit: string, mark: string): Promise<string>
  /** The tree of the work tree's files. */
  snapshot(base: string): Promise<string>
  /** Puts the work tree's files at a merged tree, on `onto`, and keeps the candidate. */
  place(merged: { tree: string; onto: string; candidate: { ref: string; commit: string } }): Promise<void>
}

const mergeTries = 10

export async function integrate(work: IntegrateWork, integration: Integration, mark: string): Promise<IntegrateOutcome> {
  const outcome = work.step.kind === 'land'
    ? await land(work, work.step, integration, mark)
    : await merge(work, work.step, integration, mark)
  return { kind: 'integrate', ...outcome }
}

type Result = IntegrateOutcome extends infer O ? (O extends { kind: 'integrate' } ? Omit<O, 'kind'> : never) : never
type MergeStep = Extract<IntegrateWork['step'], { kind: 'merge' }>
type LandStep = Extract<IntegrateWork['step'], { kind: 'land' }>

async function merge(work: IntegrateWork, step: MergeStep, integration: Integration, mark: string): Promise<Result> {
  for (let tried = 0; tried < mergeTries; tried++) {
    const tip = await integration.refs.movableTip(mark)
    const result = await mergeOnto(tip, work, step, integration, mark)
    if (result !== 'moved') return result
  }
  return { status: 'moved' }
}

async function mergeOnto(
  tip: Tip, work: IntegrateWork, step: MergeStep, integration: Integration, mark: string,
): Promise<Result | 'moved'> {
  const { root, run, refs, landings, trees, identity } = integration
  const call: GitCall = { cwd: root, mark, env: identity }
  const base = work.base ?? tip.commit
  const baseTree = base === tip.commit ? tip.tree : await integration.treeOf(base, mark)
  const tree = step.tree ?? (await integration.snapshot(base))
  if (tree === baseTree || base !== tip.commit) {
    const landed = await landings.find(work.id, tip.commit)
    if (landed !== null || tree === baseTree) return { status: 'landed', commit: landed }
  }
  const commitOf = async (parent: string, content: string): Promise<string> => {
    const commit = await makeCommit({ tree: content, parents: [parent], message: messageOf(run, work) }, call)
    trees.set(commit, content)
    return commit
  }
  const candidate = { ref: candidateRef(run, work.task, work.id), commit: await commitOf(base, tree) }
  const landNow = async (commit: string): Promise<Result | 'moved'> => {
    if (!(await refs.move({ branch: { from: tip.commit, to: commit }, candidate }, mark))) return 'moved'
    landings.add(work.id, tip.commit, commit)
    return { status: 'landed', commit }
  }
  if (base === tip.commit) return landNow(candidate.commit)

  const merged = await mergeTrees(tip.commit, candidate.commit, call)
  if (!merged.clean || merged.tree === tip.tree) {
    await refs.move({ candidate }, mark)
    return merged.clean ? { status: 'landed', commit: null } : { status: 'conflict', onto: tip.commit, files: merged.conflicts }
  }
  const commit = await commitOf(tip.commit, merged.tree)
  if (step.landAnyway) return landNow(commit)
  await integration.place({ tree: merged.tree, onto: tip.commit, candidate })
  return { status: 'merged', commit, tree: merged.tree, onto: tip.commit }
}

async function land(work: IntegrateWork, { commit, onto }: LandStep, { refs, landings }: Integration, mark: string): Promise<Result> {
  const tip = await refs.movableTip(mark)
  if (tip.commit === onto && (await refs.move({ branch: { from: onto, to: commit } }, mark))) {
    landings.add(work.id, onto, commit)
    return { status: 'landed', commit }
  }
  const landed = await landings.find(work.id, (await refs.tip(mark)).commit)
  return landed === null ? { status: 'moved' } : { status: 'landed', commit: landed }
}

export interface Merged {
  tree: string
  clean: boolean
  /** Files in conflict; git does not always name them. */
  conflicts: string[]
}

/** Merges two commits without a work tree. */
export async function mergeTrees(ours: string, theirs: string, call: GitCall): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs]
  const result = await tryGit(args, call)
  if (result.exitCode !== 0 && result.exitCode !== 1) throw gitError(args, result)
  const [tree, ...conflicts] = result.stdout.split('\0').filter((token) => token !== '')
  if (tree === undefined) throw new LooperError('WORKSPACE_GIT', 'git merge-tree: no answer')
  return { tree, clean: result.exitCode === 0, conflicts }
}

/** Of a commit or a tree. */
export const treeOf = (commit: string, call: GitCall): Promise<string> => git(['rev-parse', '--verify', `${commit}^{tree}`], call)
