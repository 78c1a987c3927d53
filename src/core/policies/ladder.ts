/** The ladder: the one answer to "the attempt failed". Each rung is capped here, whatever an agent suggests. */
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Failure, Rung } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'

/** A broken agent stays broken on smaller tasks; only these errors can mean "too much at once". */
const helpedBySplitting: readonly AgentErrorKind[] = ['timeout', 'max_turns', 'context_overflow', 'budget']

/** Attempts that came to nothing because others were quicker: each begins anew on what landed, and costs no attempt. */
const mostConflicts = 3

export function nextRung(state: RunState, task: TaskState, failure: Failure): Rung {
  if (failure.kind === 'conflict') return task.conflicts < mostConflicts ? 'retry' : 'fail'
  if (task.attemptsLeft > 0) return 'retry'
  return maySplit(state, task, failure) ? 'split' : 'fail'
}

function maySplit(state: RunState, task: TaskState, failure: Failure): boolean {
  // A backlog is its owner's: Looper does not cut its tasks up.
  if (state.backlog !== null) return false
  if (failure.error !== null && !helpedBySplitting.includes(failure.error)) return false
  return state.goalIteration === 0 && within(task.depth, state.config.limits.splitDepth)
}

/** Is one more allowed, when `used` of `limit` are used up? Null means no limit. */
export const within = (used: number, limit: number | null): boolean => limit === null || used < limit
