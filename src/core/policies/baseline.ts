/**
 * What a check that was red before the first task means: "no worse than the base" is the bar, unless mending it is what
 * is asked for.
 */
import type { BaselineCheck, Excuse, FlakyCheck } from '../../model/convergence.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import type { PlannedCheck } from './checks.ts'
import { mending } from './mending.ts'
import { isLicensed, wordsOf } from './tamper.ts'

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

/** A task is asked for what its title or its own checks say; the whole, also for what the goal says. */
function isAskedFor({ goal, tasks, order }: RunState, task: TaskState | null, check: PlannedCheck): boolean {
  const meansToMend = mending(check)
  const asks = ({ title, checks }: TaskState): boolean => checks.includes(check.name) || meansToMend(title)
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

/** A task of the run says so, or the goal where there are no tasks. */
function mayRemoveTests({ goal, order, tasks }: RunState): boolean {
  const words =
    order.length === 0
      ? [goal]
      : order.flatMap((id) => {
          const task = tasks[id]
          return task ? [wordsOf(task)] : []
        })
  return words.some((text) => isLicensed(text, 'test-deleted') || isLicensed(text, 'test-skipped'))
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
