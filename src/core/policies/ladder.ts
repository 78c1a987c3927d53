/**
 * The ladder: the next step after a failed attempt. Each rung is capped here, independent of what an agent suggests.
 */
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Failure, Rung } from '../../model/event.ts'
import type { PastFailure, RunState, TaskState } from '../../model/state.ts'
import { repairOrigin } from '../../model/task.ts'
import { otherAgents } from './routing.ts'
import { showsShared } from './same-failure.ts'

/** Only these errors can mean that a task is too large. Any other agent error would recur on smaller tasks. */
const helpedBySplitting: readonly AgentErrorKind[] = ['timeout', 'max_turns', 'context_overflow', 'budget']

/** How often a task may lose a merge conflict. Each new attempt starts from the landed changes and costs no attempt. */
const mostConflicts = 3

/** A failure, and the tree that the agent left with it. */
type LeftFailure = Failure & Pick<PastFailure, 'tree'>

export function nextRung(state: RunState, task: TaskState, failure: LeftFailure): Rung {
  if (failure.kind === 'conflict') return task.conflicts < mostConflicts ? 'retry' : 'fail'
  if (isStuck(state, task, failure)) return 'fail'
  if (task.attemptsLeft > 0) return 'retry'
  return maySplit(state, task, failure) ? 'split' : 'fail'
}

/**
 * Findings that name what is wrong, and checks that fail with exactly the same tree. An agent that leaves one in place
 * three times leaves it in a fourth.
 */
const lasting: readonly Failure['kind'][] = ['tamper', 'secret', 'test', 'check']

const isStuck = (state: RunState, task: TaskState, failure: LeftFailure): boolean =>
  isInVain(state, failure, 1 + timesBefore(task, failure))

function isInVain({ config }: RunState, { cause, kind, error }: Failure, times: number): boolean {
  if (cause !== undefined) return times >= 2
  // With fixes, two attempts have shown it more than three times. After a rejection no fix follows in the attempt.
  if (lasting.includes(kind)) return times >= (config.limits.fixCycles === 0 ? 3 : 2)
  return (kind === 'verdict' || error === 'bad_response') && times >= 3
}

/**
 * Whether goal iterations are no use: the task was to repair the base, the last three attempts changed nothing, two
 * ended with one cause, or a finding stays in place and every agent has left it there.
 */
export function isHopeless(state: RunState, task: TaskState): boolean {
  if (task.origin === repairOrigin) return true
  const last = task.failures.at(-1)
  if (last === undefined || !isSince(task, last)) return false
  // A person is asked about a finding of the guard, and the task goes on with the answer.
  if (last.kind === 'tamper') return false
  if (isLeft(state, task, last)) return untriedAgent(state, task) === null
  return last.kind === 'no-change' && timesLast(task, last) >= 3
}

/** An agent for a task whose agent would leave the last failure again: one that has not failed at it yet. */
export function untriedAgent(state: RunState, task: TaskState): string | null {
  const last = task.failures.at(-1)
  if (last?.agent === undefined || last.cause !== undefined || !isSince(task, last)) return null
  if (!isLeft(state, task, last)) return null
  const isUntried = (name: string): boolean => task.failures.every(({ agent }) => agent !== name)
  return otherAgents(state.config, last.agent).find(isUntried) ?? null
}

const isLeft = (state: RunState, task: TaskState, last: PastFailure): boolean =>
  isInVain(state, last, timesLast(task, last))

/** How many attempts in a row ended with the last failure. */
const timesLast = (task: TaskState, last: PastFailure): number =>
  1 + timesBefore({ ...task, failures: task.failures.slice(0, -1) }, last)

const isSince = ({ triedBefore = 0 }: TaskState, { attempt = 0 }: PastFailure): boolean => attempt > triedBefore

/** How many attempts directly before ended with this failure. */
function timesBefore(task: TaskState, failure: LeftFailure): number {
  const { kind, fingerprint, cause, detail } = failure
  const isSame = (before: PastFailure): boolean => {
    if (cause !== undefined) return before.cause === cause
    if (before.kind !== kind) return false
    // The fingerprint of a verdict or an invalid answer does not say what is wrong: the words are compared.
    if (kind === 'verdict' || kind === 'agent') return before.detail === detail
    if (kind === 'check') return isSameTree(failure, before)
    return fingerprint !== null && before.fingerprint === fingerprint
  }
  const known = task.failures.toReversed()
  const end = known.findIndex((before) => !isSince(task, before) || !isSame(before))
  return end === -1 ? known.length : end
}

/** Whether the attempt before ended with this failure and left exactly the same tree. */
export function isLeftAgain(task: TaskState, failure: LeftFailure): boolean {
  const before = task.failures.at(-1)
  return before !== undefined && isSince(task, before) && isSameTree(failure, before)
}

const isSameTree = ({ kind, fingerprint, tree }: LeftFailure, before: PastFailure): boolean =>
  tree !== undefined && before.tree === tree && before.kind === kind && before.fingerprint === fingerprint

function maySplit(state: RunState, task: TaskState, failure: Failure): boolean {
  // A backlog belongs to its owner, so Looper does not split its tasks.
  if (state.backlog !== null) return false
  if (failure.error !== null && !helpedBySplitting.includes(failure.error)) return false
  if (failure.cause !== undefined || task.origin === repairOrigin) return false
  if (isSameAsWhole(state, task, failure) || (failure.kind === 'check' && showsShared(state, task))) return false
  return state.goalIteration === 0 && within(task.depth, state.config.limits.splitDepth)
}

/** A part that fails as the whole task did before it was split would fail again as two smaller parts. */
function isSameAsWhole({ tasks }: RunState, { parent }: TaskState, { kind, fingerprint }: Failure): boolean {
  const before = parent === null ? undefined : tasks[parent]?.failures.at(-1)
  return before !== undefined && before.kind === kind && fingerprint !== null && before.fingerprint === fingerprint
}

/** Whether one more is allowed after `used` of `limit`. Null means no limit. */
export const within = (used: number, limit: number | null): boolean => limit === null || used < limit
