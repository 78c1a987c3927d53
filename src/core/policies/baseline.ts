/** What a check that was red before the first task means: "no worse than the base" is the bar, unless mending it is what is asked for. */
import type { BaselineCheck, Excuse } from '../../model/convergence.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import type { PlannedCheck } from './checks.ts'
import { meansToMend } from './mending.ts'

/** Why a red check blames nobody on this tree; null when it does. */
export function excuseFor(state: RunState, task: TaskState | null, check: PlannedCheck, outcome: CheckOutcome): Excuse | null {
  const isFlaky = Object.hasOwn(state.flaky, check.name)
  const before = check.proposed ? undefined : state.baseline?.checks.find((known) => known.check === check.name)
  const isAsked = !check.proposed && isAskedFor(state, task, check)
  // Whoever is to mend it is not excused by what is wrong with it. Of the whole no flaky check can be asked for.
  if (isAsked && task !== null) return null
  const known = before && !before.passed && !isAsked ? comparedTo(before, outcome) : null
  return isFlaky && known !== 'no-worse' ? 'flaky' : known
}

/** Red as it was before the first task, and in nothing else. */
export function wasRed({ baseline }: RunState, { name }: PlannedCheck, outcome: CheckOutcome): boolean {
  const before = baseline?.checks.find(({ check }) => check === name)
  return before !== undefined && !before.passed && comparedTo(before, outcome) !== null
}

/** A task is asked for what its title or its own checks say; the whole, also for what the goal says. */
function isAskedFor({ goal, tasks, order }: RunState, task: TaskState | null, check: PlannedCheck): boolean {
  const asks = ({ title, checks }: TaskState): boolean => checks.includes(check.name) || meansToMend(title, check)
  if (task !== null) return asks(task)
  return meansToMend(goal, check) || order.some((id) => { const known = tasks[id]; return known !== undefined && asks(known) })
}

function comparedTo(before: BaselineCheck, { failing = [], fingerprint, tests }: CheckOutcome): Excuse | null {
  const red = new Set(before.failing ?? [])
  if (red.size > 0 && failing.length > 0 && (tests ?? 0) > failing.length) return failing.every((name) => red.has(name)) ? 'no-worse' : null
  return fingerprint !== null && fingerprint === before.fingerprint ? 'same-as-base' : null
}
