/** Which failures the checks showed with the changes of which tasks, and how many turns were spent on each. */
import { failureKey, isRed } from '../../model/check-record.ts'
import { turnName, type ShownFailure } from '../../model/convergence.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { recordOf } from './check-record.ts'

const mostShown = 100

function setShown({ convergence }: RunState, shown: readonly ShownFailure[]): void {
  if (shown.length === 0) delete convergence.shown
  else convergence.shown = shown.slice(-mostShown)
}

/** Attempts of a race try one task in several ways: only a check that cannot run is more than their own failure. */
export function recordShown(state: RunState, event: Event<'check.finished'>): void {
  const { task, attempt, round, cannotRun } = event
  const failure = failureKey(recordOf(event))
  if (task === null || failure === null || !isRed(event)) return
  if (cannotRun === undefined && (state.tasks[task]?.racers?.length ?? 0) > 0) return
  const { shown = [] } = state.convergence
  const turn = turnName(attempt, round)
  const known = shown.find((one) => one.task === task && one.failure === failure)
  if (known === undefined) setShown(state, [...shown, { failure, task, turns: [turn] }])
  else if (!known.turns.includes(turn)) known.turns.push(turn)
}

/** The fix of what the last round showed is spent on it, even when it ends without an answer. */
export function recordFix({ convergence }: RunState, { task, attempt, fix, failure }: Event<'attempt.fixing'>): void {
  if (failure.kind !== 'check') return
  for (const one of convergence.shown ?? [])
    if (one.task === task && one.turns.includes(turnName(attempt, fix - 1))) one.turns.push(turnName(attempt, fix))
}

/** What a done task showed can be repaired. A person who skips a task leaves the failure to the others. */
export function forgetShown(state: RunState, { task, status }: Event<'task.finished'>): void {
  const { shown = [] } = state.convergence
  if (shown.length === 0 || (status !== 'done' && status !== 'cancelled')) return
  const own = new Set(shown.filter((one) => one.task === task).map(({ failure }) => failure))
  setShown(
    state,
    shown.filter((one) => (status === 'done' ? !own.has(one.failure) : one.task !== task)),
  )
}
