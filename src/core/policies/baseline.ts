/**
 * How a check that was red before the first task counts: the tree must be no worse than the base, unless the check's
 * repair is what the task asks for.
 */
import { causeOf } from '../../model/cannot-run.ts'
import type { BaselineCheck, Excuse, FlakyCheck } from '../../model/convergence.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import { allowsAny, askedOf, nothingAsked, together } from './asked-for.ts'
import type { PlannedCheck } from './checks.ts'
import { repairRequest } from './repair-request.ts'
import { beyond } from './test-name.ts'

/** Why a red check does not count against this tree; null when it does. */
export function excuseFor(
  state: RunState,
  task: TaskState | null,
  check: PlannedCheck,
  outcome: CheckOutcome,
): Excuse | null {
  const isAsked = !check.proposed && isAskedFor(state, task, check)
  // A task that must repair the check gets no excuse. For the run as a whole, a flaky check may still be excused.
  if (isAsked && task !== null) return null
  const before = check.proposed || isAsked ? undefined : redBefore(state, check)
  const known = before ? comparedTo(state, before, outcome) : null
  return known !== 'no-worse' && isKnownFlaky(state.flaky, check, outcome, before) ? 'flaky' : known
}

/** Whether the check fails in the same way as before the first task. */
export function wasRed(state: RunState, check: PlannedCheck, outcome: CheckOutcome): boolean {
  const before = redBefore(state, check)
  return before !== undefined && comparedTo(state, before, outcome) !== null
}

const redBefore = ({ baseline }: RunState, { name }: PlannedCheck): BaselineCheck | undefined =>
  baseline?.checks.find(({ check, passed }) => check === name && !passed)

/**
 * A task asks for the repair of the checks in `repairs`; without that field, of the ones that its title or its own
 * checks name. The run as a whole also asks for what the goal names. A request for a repair permits nothing, so a title
 * by any author counts.
 */
function isAskedFor({ goal, tasks, order, config }: RunState, task: TaskState | null, check: PlannedCheck): boolean {
  const asksForRepair = repairRequest(check)
  const isConfigured = (named: string): boolean => config.checks.some(({ name }) => name === named)
  const asks = ({ title, checks, repairs = [] }: TaskState): boolean =>
    repairs.some(isConfigured) ? repairs.includes(check.name) : checks.includes(check.name) || asksForRepair(title)
  if (task !== null) return asks(task)
  return (
    asksForRepair(goal)
    || order.some((id) => {
      const known = tasks[id]
      return known !== undefined && asks(known)
    })
  )
}

/**
 * No worse: only tests that failed before fail now, none fails more often, and no fewer tests pass, unless the run may
 * remove tests. Without test names, the fingerprint must be the same, or what the check lacks.
 */
function comparedTo(
  state: RunState,
  before: BaselineCheck,
  { failing = [], passing = 0, fingerprint, cannotRun }: CheckOutcome,
): Excuse | null {
  if (before.failing && before.failing.length > 0 && failing.length > 0 && passing > 0) {
    const isLess = passing < (before.passing ?? 0) && !mayRemoveTests(state)
    return isLess || beyond(failing, before.failing).length > 0 ? null : 'no-worse'
  }
  const isSameCause = cannotRun && before.cannotRun && causeOf(cannotRun) === causeOf(before.cannotRun)
  return isSameCause || (fingerprint !== null && fingerprint === before.fingerprint) ? 'same-as-base' : null
}

/** Whether a task of the run may remove tests; without tasks, whether the goal says so. */
function mayRemoveTests(state: RunState): boolean {
  const { goal, order, tasks } = state
  const asked = order.flatMap((id) => (tasks[id] ? [askedOf(state, tasks[id])] : []))
  return allowsAny(order.length === 0 ? { ...nothingAsked, words: [goal] } : together(asked), [
    'test-deleted',
    'test-skipped',
  ])
}

/**
 * Whether all failing tests are known as flaky, apart from those that failed before. A flaky check without test names
 * is flaky as a whole.
 */
function isKnownFlaky(
  flaky: RunState['flaky'],
  { name }: PlannedCheck,
  { failing }: CheckOutcome,
  before?: BaselineCheck,
): boolean {
  const known: FlakyCheck | undefined = Object.hasOwn(flaky, name) ? flaky[name] : undefined
  if (known?.tests === undefined) return known !== undefined
  const flakyTests = new Set(known.tests)
  const others = beyond(failing ?? [], before?.failing ?? [])
  return others.length > 0 && others.every((test) => flakyTests.has(test))
}
