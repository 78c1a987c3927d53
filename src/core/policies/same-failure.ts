/** One failure that several tasks show: which of them goes on with it, which wait, and when all of them stop. */
import { failureKey, isRed } from '../../model/check-record.ts'
import { turnName, type ShownFailure } from '../../model/convergence.ts'
import type { CheckRecord, Failure } from '../../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import { isPartOf } from '../tasks/is-part-of.ts'

/** Turns on one failure of several tasks: those that showed it, and fixes. */
export const mostTurns = 6

const turnOf = ({ n, round }: AttemptState): string => turnName(n, round)
const turnBefore = ({ n, round }: AttemptState): string => turnName(n, round - 1)

const isRacing = ({ racers }: TaskState): boolean => (racers?.length ?? 0) > 0

/** A part of a task shows what the whole showed because it is the same work. */
const isApart = ({ tasks }: RunState, own: string, other: string): boolean =>
  own !== other && !isPartOf(tasks, own, other) && !isPartOf(tasks, other, own)

const shownAs = ({ convergence }: RunState, failure: string | null): ShownFailure[] =>
  (convergence.shown ?? []).filter((one) => one.failure === failure)

/** The tasks that show the failure, in the order in which they did; empty when no other task does. */
export function tasksWith(state: RunState, own: string, failure: string | null): string[] {
  const all = shownAs(state, failure)
  const others = all.filter(({ task }) => isApart(state, own, task))
  return others.length === 0 ? [] : all.map(({ task }) => task).filter((id) => id === own || isApart(state, own, id))
}

/** A failure of checks has the fingerprints of all red ones. */
const hasPrint = (failure: Failure | undefined | null, print: string | null): boolean =>
  print !== null && (failure?.fingerprint?.split('+').includes(print) ?? false)

/** Whether the task fixes what its last round showed. */
const isFixing = ({ tasks }: RunState, { task: id, turns }: ShownFailure): boolean => {
  const attempt = tasks[id]?.attempt
  return (
    attempt != null && attempt.round > 0 && attempt.failure?.kind === 'check' && turns.includes(turnBefore(attempt))
  )
}

/** Whether the task shows the failure now, or fixes it. */
function isOpen(state: RunState, shown: ShownFailure): boolean {
  const attempt = state.tasks[shown.task]?.attempt
  return attempt != null && (shown.turns.includes(turnOf(attempt)) || isFixing(state, shown))
}

/** Other turns under way, or not checked yet, that may show it, too. Fixes of it are counted already. */
function turnsToCome({ active, tasks }: RunState, own: string, check: string, all: readonly ShownFailure[]): number {
  return active.filter((id) => {
    const task = tasks[id]
    if (id === own || !task?.attempt || isRacing(task)) return false
    const turn = turnOf(task.attempt)
    const isCounted = all.some((one) => one.task === id && one.turns.includes(turn))
    return !isCounted && !task.attempt.checks.some((record) => record.check === check)
  }).length
}

/**
 * `stop`: an attempt at another task ended with the failure, or enough turns are spent on it. `wait`: another task
 * tries to fix it, or turns under way may show it. Null when the task goes on by itself.
 */
export function whenShared(
  state: RunState,
  own: TaskState,
  record: CheckRecord,
): { next: 'stop' | 'wait'; tasks: string[] } | null {
  const { attempt } = own
  if (attempt === null || isRacing(own)) return null
  const failure = failureKey(record)
  const tasks = tasksWith(state, own.id, failure)
  const all = shownAs(state, failure)
  const spent = all.reduce((sum, { turns }) => sum + turns.length, 0)
  const coming = turnsToCome(state, own.id, record.check, all)
  // Until a change has landed, no task has shown that the check passes with any change.
  if (tasks.length === 0)
    return state.landings.length === 0 && coming > 0 && spent + coming >= mostTurns ? { next: 'wait', tasks } : null
  const others = all.filter(({ task }) => task !== own.id && tasks.includes(task))
  const hasEnded = others.some(({ task: id }) => hasPrint(state.tasks[id]?.failures.at(-1), record.fingerprint))
  if (hasEnded || spent >= mostTurns) return { next: 'stop', tasks }
  const isFirst = !all.some(({ task, turns }) => task === own.id && turns.includes(turnBefore(attempt)))
  const isLeft = isFirst && others.some((one) => isFixing(state, one))
  return spent + coming >= mostTurns || isLeft ? { next: 'wait', tasks } : null
}

/** Whether the task waits until another one has tried to fix the failure that both show. */
export const waitsForFix = (state: RunState, task: TaskState): boolean =>
  state.convergence.shown !== undefined
  && (task.attempt?.checks ?? []).some((record) => isRed(record) && whenShared(state, task, record)?.next === 'wait')

/** Whether another task shows what this one shows now. Smaller tasks would show it, too. */
export const showsShared = (state: RunState, { id, attempt }: TaskState): boolean =>
  attempt !== null
  && (state.convergence.shown ?? []).some(
    ({ task, turns, failure }) =>
      task === id && turns.includes(turnOf(attempt)) && tasksWith(state, id, failure).length > 0,
  )

/** Whether tasks show one failure now: no further task starts that may show it. */
export const isAnyShared = (state: RunState): boolean =>
  (state.convergence.shown ?? []).some(
    (one) => isOpen(state, one) && tasksWith(state, one.task, one.failure).length > 0,
  )

/** Whether a change is red or being fixed. Those that wait for their checks may be red for the same reason. */
export const isAnyRed = (state: RunState): boolean => (state.convergence.shown ?? []).some((one) => isOpen(state, one))
