/**
 * The end of an attempt: merges, checks the merged tree in a verification workspace, has it judged, and lands it by
 * compare-and-swap.
 */
import type { Failure } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import {
  verificationWorkspace,
  type IntegrateOutcome,
  type IntegrateWork,
  type SubmoduleCommit,
} from '../../../model/work.ts'
import { outcomeOf } from '../../work/ledger.ts'
import { within } from '../../policies/ladder.ts'
import { withOutside } from '../../policies/outside.ts'
import { nothing, type Proposal } from '../../proposal.ts'
import { done, notYet, perform, performWhenOpen, type Step } from '../../step.ts'
import { inPlace } from '../../tasks/workspace-needs.ts'
import { runChecks } from './checking.ts'
import { mergeIds, mergeIdsOf, type MergeIds } from './attempt-ids.ts'
import { maxMerges, mayLandOn, tipOf, type LandingQueue } from './landing-queue.ts'
import { prove } from './proving.ts'
import { reverse } from './reversing.ts'
import { review } from './reviewing.ts'
import { sharedCause } from './shared-cause.ts'
import { checksOf, fail, fixOrFail, namesFor, refused, type Standing } from './standing.ts'

const mostStacked = 3

export const integrates = (state: RunState): boolean => !inPlace(state) || state.config.workspace.commit

/** Null when the change has landed. */
export function integrate(standing: Standing, queue: LandingQueue): Proposal | null {
  if (!integrates(standing.state)) return null
  for (let merge = 0; merge < maxMerges; merge++) {
    // After several merges in vain, a candidate is merged onto the run branch itself, not onto another candidate.
    const step = mergeOnce(standing, idsOf(standing, merge), merge < mostStacked ? queue : { ...queue, last: null })
    if (step.status === 'not-yet') return step.proposal
    if (step.outcome === 'landed') return null
  }
  return fail(standing, {
    kind: 'conflict',
    error: null,
    summary: 'the run branch kept moving',
    detail: '',
    fingerprint: 'conflict',
  })
}

const idsOf = ({ id, ids }: Standing, merge: number, round = ids.round): MergeIds =>
  round === ids.round ? mergeIdsOf(ids, merge) : mergeIds(id, round, merge)

export interface LandedChange {
  /** Null when there was nothing to commit. */
  commit: string | null
  /** The merged tree that was checked. */
  tree: string | null
  submodules?: SubmoduleCommit[] | undefined
}

export function landed(standing: Standing): LandedChange {
  for (let merge = 0; merge < maxMerges; merge++) {
    const ids = idsOf(standing, merge)
    const merged = outcomeOf(standing.state, ids.merge)
    if (merged?.kind !== 'integrate') break
    if (merged.status === 'landed') return { commit: merged.commit, tree: null, submodules: merged.submodules }
    const land = outcomeOf(standing.state, ids.land)
    if (land?.kind !== 'integrate' || land.status !== 'landed') continue
    const { tree, submodules } = merged.status === 'merged' ? merged : { tree: null }
    return { commit: land.commit, tree, submodules }
  }
  return { commit: null, tree: null }
}

/** Whether the change is being merged or landed, or has landed. It was judged before that began. */
export function isLanding(standing: Standing): boolean {
  const { state } = standing
  for (let merge = 0; merge < maxMerges; merge++) {
    const ids = idsOf(standing, merge)
    if (state.works[ids.merge] ?? state.works[ids.land]) return true
    const merged = outcomeOf(state, ids.merge)
    if (merged?.kind !== 'integrate') return false
    const land = outcomeOf(state, ids.land)
    if (merged.status === 'landed' || (land?.kind === 'integrate' && land.status === 'landed')) return true
  }
  return false
}

/** Whether the change has landed or must be merged again. */
type Merging = Step<'landed' | 'again'>

function mergeOnce(standing: Standing, ids: MergeIds, queue: LandingQueue): Merging {
  const { state } = standing
  const merged = performWhenOpen(state, { kind: 'integrate', id: ids.merge }, standing.ids.owner, () =>
    merge(standing, ids, queue),
  )
  if (merged.status === 'not-yet') return queue.mayIntegrate ? merged : notYet(nothing)
  if (merged.status === 'failed') return notYet(refused(standing, merged.failure))
  const { outcome } = merged
  switch (outcome.status) {
    case 'landed':
    case 'placed':
      return done('landed')
    case 'moved':
      return done('again')
    case 'conflict':
      // The candidate below it must land or fail first. Then the merge is repeated on the run branch itself.
      if (outcome.stacked) return queue.commits.has(outcome.onto) ? notYet(nothing) : done('again')
      return notYet(
        resolves(standing, outcome)
          ? fixOrFail(standing, conflictFailure(outcome), { base: outcome.onto, tree: outcome.tree })
          : fail(standing, conflictFailure(outcome)),
      )
    case 'merged':
      return landMerged(standing, ids, outcome, queue)
  }
}

function merge(standing: Standing, ids: MergeIds, { last }: LandingQueue): IntegrateWork {
  const { tree } = standing
  const landAnyway = inPlace(standing.state) || checksOf(standing).length === 0
  const onto = landAnyway || last === null ? {} : { onto: last }
  return integration(standing, ids.merge, { kind: 'merge', tree, landAnyway, ...onto })
}

type Merged = Extract<IntegrateOutcome, { status: 'merged' }>
type Conflict = Extract<IntegrateOutcome, { status: 'conflict' }>

/** Whether the change was merged onto a candidate that has not landed: that one may be the cause of a red check. */
const isUndecided = (state: RunState, { onto, stacked }: Pick<Merged, 'onto' | 'stacked'>): boolean =>
  stacked === true && onto !== tipOf(state)

function landMerged(standing: Standing, ids: MergeIds, merged: Merged, queue: LandingQueue): Merging {
  const { state } = standing
  const { commit, onto } = merged
  const land = performWhenOpen(state, { kind: 'integrate', id: ids.land }, standing.ids.owner, () =>
    integration(standing, ids.land, { kind: 'land', commit, onto }),
  )
  if (land.status === 'failed') return notYet(refused(standing, land.failure))
  if (land.status === 'done') return done(land.outcome.status === 'moved' ? 'again' : 'landed')
  // The change was judged before its landing began. A permission that is taken back during the landing comes too late.
  if (state.works[ids.land]) return land
  // Proofs and verdicts are about the change itself, so they are not cancelled when another change lands.
  const aside = (): Proposal | null => prove(standing, ids.check) ?? reverse(standing, ids.check) ?? review(standing)
  if (!mayLandOn(state, merged, queue.commits)) {
    const open = isJudged(standing) ? aside() : null
    return open ? notYet(open) : done('again')
  }
  const open = check(standing, ids, merged, queue) ?? aside()
  if (open) return notYet(open)
  return isUndecided(state, merged) || !queue.mayIntegrate ? notYet(nothing) : land
}

/** Whether a proof or a judge of this round is under way. Both depend only on the change, not on where it is merged. */
function isJudged({ state, task, attempt: { n, round } }: Standing): boolean {
  return Object.values(state.works).some(({ work }) => {
    const judged = 'judges' in work ? work.judges : undefined
    return judged?.task === task.id && judged.attempt === n && judged.round === round
  })
}

const integration = (
  { state, task, base, workspace }: Standing,
  id: string,
  step: IntegrateWork['step'],
): IntegrateWork => ({
  kind: 'integrate',
  id,
  workspace,
  task: task.id,
  title: task.title,
  // Runs of older versions record no type, so that they replay as recorded.
  ...(task.type === null || state.config.commit === undefined ? {} : { type: task.type }),
  base,
  step,
})

/** Null when the merged tree is green. Results on exactly this tree are reused. */
function check(standing: Standing, ids: MergeIds, merged: Merged, queue: LandingQueue): Proposal | null {
  const { state, task, attempt } = standing
  const checked = runChecks(state, checksOf(standing), {
    prefix: ids.check,
    workspace: verificationWorkspace,
    tree: merged.tree,
    commit: merged.commit,
    records: attempt.checks.filter(({ tree }) => tree === merged.tree),
    ...namesFor(standing),
    subject: { task: task.id, attempt: attempt.n, round: attempt.round, merged: merged.tree !== standing.tree },
  })
  if (checked.status === 'not-yet') return checked.proposal
  if (checked.status === 'done') return null
  if (isUndecided(state, merged)) return nothing
  const { kind, failure } = checked.failure
  if (kind === 'unproven') return fail(standing, failure)
  const records = attempt.checks.filter(({ tree }) => tree === merged.tree)
  return sharedCause(standing, failure, records) ?? afterRed(standing, ids, merged, failure, queue)
}

/** The fix prompt names what the agent left outside the tree, and the fix starts from the red tree. */
function afterRed(standing: Standing, ids: MergeIds, merged: Merged, red: Failure, queue: LandingQueue): Proposal {
  const { state, task, workspace, attempt, since } = standing
  const seen = perform(state, {
    kind: 'inspect',
    id: ids.outside,
    workspace,
    task: task.id,
    base: since,
    restore: null,
    outside: true,
  })
  if (seen.status === 'not-yet') return seen.proposal
  const failure = withOutside(red, seen.status === 'done' ? (seen.outcome.outside ?? []) : [])
  // A conflict resolution with red checks breaks one of the two sides. The task starts again from what has landed.
  if (attempt.failure?.kind === 'conflict') return fail(standing, { ...failure, kind: 'conflict' })
  if (merged.tree === standing.tree || !within(attempt.round, state.config.limits.fixCycles))
    return fixOrFail(standing, failure, null)
  const { tree, onto } = merged
  const moved = perform(state, integration(standing, ids.move, { kind: 'move', tree, onto }))
  if (moved.status === 'not-yet') return queue.mayIntegrate ? moved.proposal : nothing
  if (moved.status === 'failed') return refused(standing, moved.failure)
  return fixOrFail(standing, failure, { base: onto, tree })
}

/** Only in a worktree can an agent see both sides of a conflict. Old journals do not name `theirs`. */
const resolves = ({ state, base }: Standing, { theirs }: Conflict): boolean =>
  !inPlace(state) && base !== null && theirs !== undefined

/** The newest conflict that this attempt resolves or has resolved, while the attempt is still based on its `onto`. */
export function openConflict(standing: Standing): { theirs: string; tree: string } | null {
  for (let round = standing.attempt.round - 1; standing.attempt.conflicted && round >= 0; round--) {
    for (let merge = 0; merge < maxMerges; merge++) {
      const outcome = outcomeOf(standing.state, idsOf(standing, merge, round).merge)
      if (outcome?.kind !== 'integrate') break
      if (outcome.status !== 'conflict' || outcome.onto !== standing.base || outcome.theirs === undefined) continue
      return { theirs: outcome.theirs, tree: outcome.tree }
    }
  }
  return null
}

function conflictFailure({ files, onto, theirs }: Conflict): Failure {
  const failure = conflict(files)
  if (theirs === undefined) return failure
  return {
    ...failure,
    detail: `${failure.detail}\n\nWhat has landed is commit ${onto}; the task's own change is commit ${theirs}.`,
  }
}

export const conflict = (files: readonly string[]) =>
  ({
    kind: 'conflict',
    error: null,
    summary: `its change conflicts with what landed meanwhile: ${files.slice(0, 5).join(', ')}`,
    detail: files.map((file) => `- ${file}`).join('\n'),
    fingerprint: `conflict:${files.toSorted().join(',')}`,
  }) as const
