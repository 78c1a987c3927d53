/**
 * The ladder: the next step after a failed attempt. Each rung is capped here, independent of what an agent suggests.
 */
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Failure, Rung } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'

/** Only these errors can mean that a task is too large. Any other agent error would recur on smaller tasks. */
const helpedBySplitting: readonly AgentErrorKind[] = ['timeout', 'max_turns', 'context_overflow', 'budget']

/** How often a task may lose a merge conflict. Each new attempt starts from the landed changes and costs no attempt. */
const mostConflicts = 3

export function nextRung(state: RunState, task: TaskState, failure: Failure): Rung {
  if (failure.kind === 'conflict') return task.conflicts < mostConflicts ? 'retry' : 'fail'
  if (task.attemptsLeft > 0) return 'retry'
  return maySplit(state, task, failure) ? 'split' : 'fail'
}

function maySplit(state: RunState, task: TaskState, failure: Failure): boolean {
  // A backlog belongs to its owner, so Looper does not split its tasks.
  if (state.backlog !== null) return false
  if (failure.error !== null && !helpedBySplitting.includes(failure.error)) return false
  return state.goalIteration === 0 && within(task.depth, state.config.limits.splitDepth)
}

/** Whether one more is allowed after `used` of `limit`. Null means no limit. */
export const within = (used: number, limit: number | null): boolean => limit === null || used < limit
