/**
 * Candidates that are about to land. While one is checked, the next is merged on top of it and checked, too. It lands
 * after the one below it has landed, and is merged again if that one fails.
 */
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import type { IntegrateOutcome } from '../../../model/work.ts'
import { outcomeOf } from '../../work/ledger.ts'
import { waitsForFix } from '../../policies/same-failure.ts'
import { idsOf, mergeIdsOf, type AttemptIds } from './attempt-ids.ts'
import { judges } from './judging.ts'

export interface LandingQueue {
  /** Whether this task may merge, land or move its workspace now. Only one task may at a time. */
  mayIntegrate: boolean
  /** The candidate to merge onto; null means the run branch. */
  last: string | null
  /** Commits of the candidates that are about to land. */
  commits: ReadonlySet<string>
}

export const emptyQueue: LandingQueue = { mayIntegrate: false, last: null, commits: new Set() }

/** How often the run branch may move during a merge before that counts as a conflict. */
export const maxMerges = 20

type Merged = Extract<IntegrateOutcome, { status: 'merged' }>

export const tipOf = ({ landings, base }: RunState): string => landings.at(-1)?.commit ?? base.commit

/**
 * Whether a change merged onto this commit can still land: the commit is the tip, a candidate or, for a change that is
 * not stacked, a commit that is not known as a former tip.
 */
export function mayLandOn(
  state: RunState,
  { onto, stacked }: Pick<Merged, 'onto' | 'stacked'>,
  commits: ReadonlySet<string>,
): boolean {
  if (onto === tipOf(state) || commits.has(onto)) return true
  // Searches from the end, because a former tip is usually a recent one.
  return !stacked && onto !== state.base.commit && state.landings.findLastIndex(({ commit }) => commit === onto) === -1
}

export function landingQueue(state: RunState): Omit<LandingQueue, 'mayIntegrate'> {
  const merged: Merged[] = []
  for (const id of state.active) {
    const candidate = candidateOf(state, state.tasks[id])
    if (candidate) merged.push(candidate)
  }
  const commits = new Set<string>()
  let last: string | null = null
  // Built from the tip upwards: a change on top of a removed candidate is not a candidate.
  for (let grew = true; grew;) {
    grew = false
    for (const candidate of merged) {
      if (commits.has(candidate.commit) || !mayLandOn(state, candidate, commits)) continue
      commits.add(candidate.commit)
      last = candidate.commit
      grew = true
    }
  }
  return { last, commits }
}

/**
 * Nothing is merged on top of a task that waits for a verdict, because it may still be rejected, or on top of a red one
 * that waits for the fix of another task.
 */
function candidateOf(state: RunState, task: TaskState | undefined): Merged | null {
  if (!task?.attempt || isRacing(task) || awaitsVerdict(state, task.attempt) || waitsForFix(state, task)) return null
  const merged = newestMerge(state, idsOf(task, task.attempt))
  return merged?.status === 'merged' ? merged : null
}

function newestMerge(state: RunState, ids: AttemptIds): IntegrateOutcome | null {
  let newest: IntegrateOutcome | null = null
  for (let merge = 0; merge < maxMerges; merge++) {
    const outcome = outcomeOf(state, mergeIdsOf(ids, merge).merge, ids.owner)
    if (outcome?.kind !== 'integrate') break
    newest = outcome
  }
  return newest
}

export const isRacing = ({ racers }: TaskState): boolean => (racers?.length ?? 0) > 0

const awaitsVerdict = (state: RunState, { verdict }: AttemptState): boolean => judges(state) && verdict === null

/** Its agent has finished, and it only has to be checked and landed, so another task may use its slot. */
export function waitsToLand(state: RunState, task: TaskState): boolean {
  if (!task.attempt || isRacing(task) || awaitsVerdict(state, task.attempt)) return false
  const { inspect, owner } = idsOf(task, task.attempt)
  return outcomeOf(state, inspect, owner)?.kind === 'inspect'
}
