/**
 * The work ids of an attempt's steps in its current round. They are made once: every decision looks all of them up in
 * the ledger, and V8 hashes a text that is put together again each time.
 */
import type { AttemptState, TaskState } from '../../../model/state.ts'
import { attemptId, ownerOf, stepId } from '../../../model/work-id.ts'

export interface MergeIds {
  merge: string
  check: string
  land: string
  move: string
  outside: string
}

export interface AttemptIds {
  task: string
  n: number
  round: number
  /** The owner of all of them, for the ledger. */
  owner: string
  /** The prefix of all of them, `T003/a2`. */
  attempt: string
  prepare: string
  /** The coder's turn: the first one, or that of a fix. */
  code: string
  iterate: string
  inspect: string
  test: string
  verify: string
  merges: MergeIds[]
}

const known = new WeakMap<AttemptState, AttemptIds>()

export function idsOf({ id: task }: TaskState, attempt: AttemptState): AttemptIds {
  const { n, round } = attempt
  const kept = known.get(attempt)
  if (kept?.round === round && kept.n === n && kept.task === task) return kept
  const fresh = makeIds(task, n, round)
  known.set(attempt, fresh)
  return fresh
}

function makeIds(task: string, n: number, round: number): AttemptIds {
  const id = attemptId(task, n)
  return {
    task,
    n,
    round,
    owner: ownerOf(task),
    attempt: id,
    prepare: stepId(id, 'prepare'),
    code: round === 0 ? stepId(id, 'implement') : stepId(id, 'fix', round),
    iterate: round === 0 ? stepId(id, 'iterate') : stepId(id, 'iterate', round),
    inspect: stepId(id, 'inspect', round),
    test: stepId(id, 'test', round),
    verify: stepId(id, 'verify', round),
    merges: [],
  }
}

/** The ids of one merge of the current round. */
export const mergeIdsOf = ({ attempt, round, merges }: AttemptIds, merge: number): MergeIds =>
  (merges[merge] ??= mergeIds(attempt, round, merge))

export function mergeIds(id: string, round: number, merge: number): MergeIds {
  return {
    merge: stepId(id, 'merge', round, merge),
    check: stepId(id, 'check', round, merge),
    land: stepId(id, 'land', round, merge),
    move: stepId(id, 'move', round, merge),
    outside: stepId(id, 'outside', round, merge),
  }
}
