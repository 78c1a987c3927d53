/** The end of an attempt's road: merge onto the newest run branch, prove the merge, land it. One task at a time. */
import type { Failure } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { IntegrateOutcome } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { nothing, pause, want, type Proposal } from '../proposal.ts'
import { inPlace } from '../workspace-needs.ts'
import { checksOf, fail, fixOrFail, type Standing } from './attempt.ts'
import { runChecks } from './checking.ts'

/** How often the branch may move under a merge before that counts as a conflict. */
const maxMerges = 20

export const integrates = (state: RunState): boolean => !inPlace(state) || state.config.workspace.commit

/** Null when the change has landed. */
export function integrate(standing: Standing, mayMerge: boolean): Proposal | null {
  if (!integrates(standing.state)) return null
  for (let merge = 0; merge < maxMerges; merge++) {
    const step = mergeOnce(standing, mergeIds(standing, merge), mayMerge)
    if (step !== 'moved') return step
  }
  return fail(standing, { kind: 'conflict', error: null, summary: 'the run branch kept moving', detail: '', fingerprint: 'conflict' })
}

/** The commit that landed; null when there was nothing to commit. */
export function landedCommit(standing: Standing): string | null {
  for (let merge = 0; merge < maxMerges; merge++) {
    const ids = mergeIds(standing, merge)
    const merged = outcomeOf(standing.state, ids.merge)
    if (!merged) return null
    for (const outcome of [merged, outcomeOf(standing.state, ids.land)]) {
      if (outcome?.kind === 'integrate' && outcome.status === 'landed') return outcome.commit
    }
  }
  return null
}

interface MergeIds { merge: string; recheck: string; land: string }

function mergeIds({ id, attempt }: Standing, merge: number, round = attempt.round): MergeIds {
  const nth = merge === 0 ? `${round}` : `${round}.${merge}`
  return { merge: `${id}/merge${nth}`, recheck: `${id}/recheck${nth}`, land: `${id}/land${nth}` }
}

function mergeOnce(standing: Standing, ids: MergeIds, mayMerge: boolean): Proposal | null | 'moved' {
  const { state, task, base, tree, workspace } = standing
  const common = { kind: 'integrate', workspace, task: task.id, title: task.title, base } as const
  const merged = outcomeOf(state, ids.merge)
  if (!merged) {
    const landAnyway = checksOf(standing).length === 0
    return mayMerge ? want({ ...common, id: ids.merge, step: { kind: 'merge', tree, landAnyway } }) : nothing
  }
  if (merged.kind === 'failure') return pause(environment(merged))
  const outcome = merged as IntegrateOutcome
  switch (outcome.status) {
    case 'landed':
      return null
    case 'moved':
      return 'moved'
    case 'conflict':
      return resolves(standing, outcome)
        ? fixOrFail(standing, conflictFailure(outcome), { base: outcome.onto, tree: outcome.tree })
        : fail(standing, conflictFailure(outcome))
    case 'merged':
      return recheck(standing, ids, outcome) ?? land(standing, ids, outcome)
  }
}

type Conflict = Extract<IntegrateOutcome, { status: 'conflict' }>

/** In a worktree somebody can see both sides; a journal of older date does not name them. */
const resolves = ({ state, base }: Standing, { theirs }: Conflict): boolean => !inPlace(state) && base !== null && theirs !== undefined

/** What this attempt resolves or has resolved: the newest conflict, as long as it builds on what that was merged onto. */
export function openConflict(standing: Standing): { theirs: string; tree: string } | null {
  for (let round = standing.attempt.round - 1; standing.attempt.conflicted && round >= 0; round--) {
    for (let merge = 0; merge < maxMerges; merge++) {
      const outcome = outcomeOf(standing.state, mergeIds(standing, merge, round).merge)
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
  return { ...failure, detail: `${failure.detail}\n\nWhat has landed is commit ${onto}; the task's own change is commit ${theirs}.` }
}

export const conflict = (files: readonly string[]) => ({
  kind: 'conflict', error: null,
  summary: `its change conflicts with what landed meanwhile: ${files.slice(0, 5).join(', ')}`,
  detail: files.map((file) => `- ${file}`).join('\n'),
  fingerprint: `conflict:${files.toSorted().join(',')}`,
} as const)

type Merged = Extract<IntegrateOutcome, { status: 'merged' }>

function recheck(standing: Standing, ids: MergeIds, merged: Merged): Proposal | null {
  const { state, task, attempt, workspace } = standing
  if (merged.tree === standing.tree) return null
  const checked = runChecks(state, checksOf(standing), {
    prefix: ids.recheck, workspace, tree: merged.tree,
    records: attempt.checks.filter(({ tree, merged: after }) => after && tree === merged.tree),
    subject: { task: task.id, attempt: attempt.n, round: attempt.round, merged: true },
  })
  if (checked.status === 'not-yet') return checked.proposal
  if (checked.status === 'green') return null
  if (checked.status === 'unproven') return fail(standing, checked.failure)
  return fixOrFail(standing, checked.failure, { base: merged.onto, tree: merged.tree })
}

function land({ state, task, base, workspace }: Standing, ids: MergeIds, { commit, onto }: Merged): Proposal | null | 'moved' {
  const outcome = outcomeOf(state, ids.land)
  if (!outcome) {
    return want({
      kind: 'integrate', id: ids.land, workspace, task: task.id, title: task.title, base, step: { kind: 'land', commit, onto },
    })
  }
  if (outcome.kind === 'failure') return pause(environment(outcome))
  return (outcome as IntegrateOutcome).status === 'moved' ? 'moved' : null
}

/** Which task holds the merge queue: one that has merged and not landed, else the first that wants to. */
export function mergeHolder(state: RunState): string | null {
  const merging = (task: TaskState): boolean => {
    if (!task.attempt) return false
    // Later tries are begun only after the first.
    const first = `${task.id}/a${task.attempt.n}/merge${task.attempt.round}`
    return state.ledger[task.id]?.[first] !== undefined || state.works[first] !== undefined
  }
  return state.active.find((id) => merging(state.tasks[id] as TaskState)) ?? null
}
