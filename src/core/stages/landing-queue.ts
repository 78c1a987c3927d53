/**
 * Candidates that are about to land. While one is checked, the next is merged on top of it and checked too. It lands
 * when the one below it has landed, and is merged again when that one has failed.
 */
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import type { IntegrateOutcome } from '../../model/work.ts'
import { attemptId, stepId } from '../../model/work-id.ts'
import { outcomeOf } from '../ledger.ts'
import { judges } from './judging.ts'

export interface LandingQueue {
  /** Whether this task may merge, land or move its workspace now: one task at a time does. */
  mayIntegrate: boolean
  /** The candidate to merge onto; null: the run branch. */
  last: string | null
  /** Commits of the candidates that are about to land. */
  commits: ReadonlySet<string>
}

export const emptyQueue: LandingQueue = { mayIntegrate: false, last: null, commits: new Set() }

/** How often the run branch may move under a merge before that counts as a conflict. */
export const maxMerges = 20

export interface MergeIds {
  merge: string
  check: string
  land: string
  move: string
  outside: string
}

export function mergeIds(id: string, round: number, merge: number): MergeIds {
  return {
    merge: stepId(id, 'merge', round, merge),
    check: stepId(id, 'check', round, merge),
    land: stepId(id, 'land', round, merge),
    move: stepId(id, 'move', round, merge),
    outside: stepId(id, 'outside', round, merge),
  }
}

type Merged = Extract<IntegrateOutcome, { status: 'merged' }>

export const tipOf = ({ landings, base }: RunState): string => landings.at(-1)?.commit ?? base.commit

/**
 * What is merged onto this commit can still land: it is the tip, a candidate, or nothing that the run knows to be past.
 */
export function mayLandOn(
  state: RunState,
  { onto, stacked }: Pick<Merged, 'onto' | 'stacked'>,
  commits: ReadonlySet<string>,
): boolean {
  if (onto === tipOf(state) || commits.has(onto)) return true
  // Read from the end: what is past was the tip not long ago.
  return !stacked && onto !== state.base.commit && state.landings.findLastIndex(({ commit }) => commit === onto) === -1
}

export function landingQueue(state: RunState): Omit<LandingQueue, 'mayIntegrate'> {
  const merged = state.active.flatMap((id) => candidateOf(state, state.tasks[id]) ?? [])
  const commits = new Set<string>()
  let last: string | null = null
  // From the tip upwards: what rests on a candidate that is gone is none.
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

/** A task that waits for a verdict may still be turned down: nothing is merged on top of it. */
function candidateOf(state: RunState, task: TaskState | undefined): Merged | null {
  if (!task?.attempt || isRacing(task) || awaitsVerdict(state, task.attempt)) return null
  const merged = newestMerge(state, attemptId(task.id, task.attempt.n), task.attempt.round)
  return merged?.status === 'merged' ? merged : null
}

function newestMerge(state: RunState, id: string, round: number): IntegrateOutcome | null {
  let newest: IntegrateOutcome | null = null
  for (let merge = 0; merge < maxMerges; merge++) {
    const outcome = outcomeOf(state, mergeIds(id, round, merge).merge)
    if (outcome?.kind !== 'integrate') break
    newest = outcome
  }
  return newest
}

export const isRacing = ({ rivals }: TaskState): boolean => (rivals?.length ?? 0) > 0

const awaitsVerdict = (state: RunState, { verdict }: AttemptState): boolean => judges(state) && verdict === null

/** Its agent is done, and all that is left is to check and land it: another may have its slot. */
export function waitsToLand(state: RunState, task: TaskState): boolean {
  if (!task.attempt || isRacing(task) || awaitsVerdict(state, task.attempt)) return false
  return outcomeOf(state, stepId(attemptId(task.id, task.attempt.n), 'inspect', task.attempt.round))?.kind === 'inspect'
}
