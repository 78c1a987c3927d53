/**
 * What a check that was red before the first task means: "no worse than the base" is the bar, unless mending it is what
 * is asked for.
 */
import type { BaselineCheck, Excuse, FlakyCheck } from '../../model/convergence.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import { allowsAny, askedOf, nothingAsked, together } from './asked-for.ts'
import type { PlannedCheck } from './checks.ts'
import { mending } from './mending.ts'

/** Why a red check blames nobody on this tree; null when it does. */
export function excuseFor(
  state: RunState,
  task: TaskState | null,
  check: PlannedCheck,
  outcome: CheckOutcome,
): Excuse | null {
  const isAsked = !check.proposed && isAskedFor(state, task, check)
  // Whoever is to mend it is not excused by what is wrong with it. Of the whole no flaky check can be asked for.
  if (isAsked && task !== null) return null
  const before = check.proposed || isAsked ? undefined : redBefore(state, check)
  const known = before ? comparedTo(state, before, outcome) : null
  return known !== 'no-worse' && isKnownFlaky(state.flaky, check, outcome, before) ? 'flaky' : known
}

/** Red as it was before the first task, and in nothing else. */
export function wasRed(state: RunState, check: PlannedCheck, outcome: CheckOutcome): boolean {
  const before = redBefore(state, check)
  return before !== undefined && comparedTo(state, before, outcome) !== null
}

const redBefore = ({ baseline }: RunState, { name }: PlannedCheck): BaselineCheck | undefined =>
  baseline?.checks.find(({ check, passed }) => check === name && !passed)

/**
 * A task is asked for what `repairs` names; without it, for what its title or its own checks say. The whole also for
 * what the goal says. To be asked for a repair permits nothing, so the title of any author counts.
 */
function isAskedFor({ goal, tasks, order, config }: RunState, task: TaskState | null, check: PlannedCheck): boolean {
  const meansToMend = mending(check)
  const isConfigured = (named: string): boolean => config.checks.some(({ name }) => name === named)
  const asks = ({ title, checks, repairs = [] }: TaskState): boolean =>
    repairs.some(isConfigured) ? repairs.includes(check.name) : checks.includes(check.name) || meansToMend(title)
  if (task !== null) return asks(task)
  return (
    meansToMend(goal)
    || order.some((id) => {
      const known = tasks[id]
      return known !== undefined && asks(known)
    })
  )
}

/** Only tests that were red fail, as often as they did, and as many pass: what is gone does not fail any more. */
function comparedTo(
  state: RunState,
  before: BaselineCheck,
  { failing = [], passing = 0, fingerprint }: CheckOutcome,
): Excuse | null {
  if (before.failing && before.failing.length > 0 && failing.length > 0 && passing > 0) {
    const isLess = passing < (before.passing ?? 0) && !mayRemoveTests(state)
    return isLess || beyond(failing, before.failing).length > 0 ? null : 'no-worse'
  }
  return fingerprint !== null && fingerprint === before.fingerprint ? 'same-as-base' : null
}

/** A task of the run may, or the goal says so where there are no tasks. */
function mayRemoveTests(state: RunState): boolean {
  const { goal, order, tasks } = state
  const asked = order.flatMap((id) => (tasks[id] ? [askedOf(state, tasks[id])] : []))
  return allowsAny(order.length === 0 ? { ...nothingAsked, words: [goal] } : together(asked), [
    'test-deleted',
    'test-skipped',
  ])
}

/** What is there oftener than it was. */
function beyond(names: readonly string[], known: readonly string[]): string[] {
  const left = [...known]
  return names.filter((name) => {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/**
 * Where tests are named, those that were seen both red and green, and no others; what was red before is known as well.
 */
function isKnownFlaky(
  flaky: RunState['flaky'],
  { name }: PlannedCheck,
  { failing }: CheckOutcome,
  before?: BaselineCheck,
): boolean {
  const known: FlakyCheck | undefined = Object.hasOwn(flaky, name) ? flaky[name] : undefined
  if (known?.tests === undefined) return known !== undefined
  const moody = new Set(known.tests)
  const others = beyond(failing ?? [], before?.failing ?? [])
  return others.length > 0 && others.every((test) => moody.has(test))
}
