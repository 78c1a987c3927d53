/**
 * The end of an attempt: merge, check the merged tree in a verification workspace, have it judged, land it by
 * compare-and-swap.
 */
import type { Failure } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace, type IntegrateOutcome, type SubmoduleCommit } from '../../model/work.ts'
import { outcomeOf } from '../ledger.ts'
import { within } from '../policies/ladder.ts'
import { withOutside } from '../policies/outside.ts'
import { nothing, want, type Proposal } from '../proposal.ts'
import { inPlace } from '../workspace-needs.ts'
import { runChecks } from './checking.ts'
import { maxMerges, mayLandOn, mergeIds, tipOf, type LandingQueue, type MergeIds } from './landing-queue.ts'
import { prove } from './proving.ts'
import { reverse } from './reversing.ts'
import { review } from './reviewing.ts'
import { checksOf, fail, fixOrFail, namesFor, refused, type Standing } from './standing.ts'

const mostStacked = 3

export const integrates = (state: RunState): boolean => !inPlace(state) || state.config.workspace.commit

/** Null when the change has landed. */
export function integrate(standing: Standing, queue: LandingQueue): Proposal | null {
  if (!integrates(standing.state)) return null
  for (let merge = 0; merge < maxMerges; merge++) {
    // A candidate that was merged in vain again and again waits for its turn.
    const step = mergeOnce(standing, idsOf(standing, merge), merge < mostStacked ? queue : { ...queue, last: null })
    if (step !== 'again') return step
  }
  return fail(standing, {
    kind: 'conflict',
    error: null,
    summary: 'the run branch kept moving',
    detail: '',
    fingerprint: 'conflict',
  })
}

const idsOf = ({ id, attempt }: Standing, merge: number, round = attempt.round): MergeIds => mergeIds(id, round, merge)

export interface LandedChange {
  /** Null when there was nothing to commit. */
  commit: string | null
  /** Where it was checked after the merge. */
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

function mergeOnce(standing: Standing, ids: MergeIds, queue: LandingQueue): Proposal | null | 'again' {
  const { state } = standing
  const merged = outcomeOf(state, ids.merge)
  if (!merged) return queue.mayIntegrate ? merge(standing, ids, queue) : nothing
  if (merged.kind === 'failure') return refused(standing, merged)
  const outcome = merged as IntegrateOutcome
  switch (outcome.status) {
    case 'landed':
    case 'placed':
      return null
    case 'moved':
      return 'again'
    case 'conflict':
      // The candidate below it lands or fails first; then the conflict is looked at on the run branch itself.
      if (outcome.stacked) return queue.commits.has(outcome.onto) ? nothing : 'again'
      return resolves(standing, outcome)
        ? fixOrFail(standing, conflictFailure(outcome), { base: outcome.onto, tree: outcome.tree })
        : fail(standing, conflictFailure(outcome))
    case 'merged':
      return landMerged(standing, ids, outcome, queue)
  }
}

function merge(standing: Standing, ids: MergeIds, { last }: LandingQueue): Proposal {
  const { tree } = standing
  const landAnyway = inPlace(standing.state) || checksOf(standing).length === 0
  const onto = landAnyway || last === null ? {} : { onto: last }
  return integration(standing, ids.merge, { kind: 'merge', tree, landAnyway, ...onto })
}

type Merged = Extract<IntegrateOutcome, { status: 'merged' }>
type Conflict = Extract<IntegrateOutcome, { status: 'conflict' }>

/** It was merged onto a candidate that has not landed: a conflict or a red check may be that one's fault. */
const isUndecided = (state: RunState, { onto, stacked }: Pick<Merged, 'onto' | 'stacked'>): boolean =>
  stacked === true && onto !== tipOf(state)

function landMerged(standing: Standing, ids: MergeIds, merged: Merged, queue: LandingQueue): Proposal | null | 'again' {
  const { state } = standing
  const done = outcomeOf(state, ids.land)
  if (done?.kind === 'failure') return refused(standing, done)
  if (done) return (done as IntegrateOutcome).status === 'moved' ? 'again' : null
  // What is under way about the change itself is not called off because another has landed.
  const aside = (): Proposal | null => prove(standing, ids.check) ?? reverse(standing, ids.check) ?? review(standing)
  if (!mayLandOn(state, merged, queue.commits)) return isJudged(standing) ? (aside() ?? 'again') : 'again'
  const open = check(standing, ids, merged, queue) ?? aside()
  if (open) return open
  if (isUndecided(state, merged) || !queue.mayIntegrate) return nothing
  return integration(standing, ids.land, { kind: 'land', commit: merged.commit, onto: merged.onto })
}

/** A proof or a judge of this round is under way: both look at the change, wherever it is merged. */
function isJudged({ state, id, attempt: { round } }: Standing): boolean {
  const begins = ['proof', 'reverse', 'test', 'verify'].map((step) => `${id}/${step}${round}`)
  return Object.keys(state.works).some((work) => begins.some((prefix) => work.startsWith(prefix)))
}

const integration = (
  { task, base, workspace }: Standing,
  id: string,
  step: Extract<Proposal['work'][number], { kind: 'integrate' }>['step'],
): Proposal => want({ kind: 'integrate', id, workspace, task: task.id, title: task.title, base, step })

/** Null when the merged tree is green. What was seen on exactly this tree is not looked at again. */
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
  if (checked.status === 'green') return null
  if (isUndecided(state, merged)) return nothing
  if (checked.status === 'unproven') return fail(standing, checked.failure)
  return afterRed(standing, ids, merged, checked.failure, queue)
}

/** The agent learns what it left outside the tree, and goes on from the tree that was red. */
function afterRed(standing: Standing, ids: MergeIds, merged: Merged, red: Failure, queue: LandingQueue): Proposal {
  const { state, workspace, attempt, since } = standing
  const seen = outcomeOf(state, ids.outside)
  if (!seen) return want({ kind: 'inspect', id: ids.outside, workspace, base: since, restore: null, outside: true })
  const failure = withOutside(red, seen.kind === 'inspect' ? (seen.outside ?? []) : [])
  // A resolution that breaks either side is none: the task begins anew on what has landed.
  if (attempt.failure?.kind === 'conflict') return fail(standing, { ...failure, kind: 'conflict' })
  if (merged.tree === standing.tree || !within(attempt.round, state.config.limits.fixCycles))
    return fixOrFail(standing, failure, null)
  const moved = outcomeOf(state, ids.move)
  if (!moved) {
    return queue.mayIntegrate
      ? integration(standing, ids.move, { kind: 'move', tree: merged.tree, onto: merged.onto })
      : nothing
  }
  if (moved.kind === 'failure') return refused(standing, moved)
  return fixOrFail(standing, failure, { base: merged.onto, tree: merged.tree })
}

/** In a worktree an agent can see both sides; a journal of older date does not name them. */
const resolves = ({ state, base }: Standing, { theirs }: Conflict): boolean =>
  !inPlace(state) && base !== null && theirs !== undefined

/**
 * What this attempt resolves or has resolved: the newest conflict, as long as it builds on what that was merged onto.
 */
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
