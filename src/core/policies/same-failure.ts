/** One failure that several tasks show: which of them goes on with it, which wait, and when all of them stop. */
import type { CheckRecord, Failure } from '../../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'

/** A failure of checks has the fingerprints of all red ones. */
const hasPrint = (failure: Pick<Failure, 'fingerprint'> | null, print: string): boolean =>
  failure?.fingerprint?.split('+').includes(print) ?? false

const isRed = ({ usable, passed, excuse }: CheckRecord): boolean => usable && !passed && excuse === undefined

/** How many turns of the attempt ended with the failure, without a break. */
function timesIn({ failure, repeats = 1, checks }: AttemptState, print: string): number {
  const before = hasPrint(failure, print) ? repeats : 0
  return before + (checks.some((record) => isRed(record) && record.fingerprint === print) ? 1 : 0)
}

function othersWith({ active, tasks }: RunState, own: string, print: string): TaskState[] {
  return active.flatMap((id) => {
    const task = tasks[id]
    return id !== own && task?.attempt && !isRacing(task) && timesIn(task.attempt, print) > 0 ? [task] : []
  })
}

/** Open and failed tasks whose last attempt ended with the failure. */
const endedWith = ({ convergence, tasks }: RunState, print: string): string[] =>
  convergence.failures
    .map(({ task }) => task)
    .filter((id) => {
      const { status, failures } = tasks[id] ?? { status: 'cancelled', failures: [] }
      return (
        status !== 'done' && status !== 'cancelled' && status !== 'split' && hasPrint(failures.at(-1) ?? null, print)
      )
    })

const isRacing = ({ racers }: TaskState): boolean => (racers?.length ?? 0) > 0

const isFixing = (print: string) => (task: TaskState) =>
  task.attempt !== null && task.attempt.round > 0 && hasPrint(task.attempt.failure, print)

/** Turns on one failure of several tasks: this many, or one less when a fix was among them. */
const mostTurns = 6

/**
 * `stop`: an attempt at another task ended with the failure, or enough turns have shown it. `wait`: another task tries
 * to fix it. Null when the task goes on by itself.
 */
export function whenShared(
  state: RunState,
  own: TaskState,
  print: string,
): { next: 'stop' | 'wait'; tasks: string[] } | null {
  const { attempt } = own
  if (attempt === null || isRacing(own)) return null
  const others = othersWith(state, own.id, print)
  const ended = endedWith(state, print).filter((id) => id !== own.id)
  const tasks = [...new Set([...ended, ...others.map(({ id }) => id)])]
  if (tasks.length === 0) return null
  const times = [own, ...others].map((task) => (task.attempt ? timesIn(task.attempt, print) : 0))
  const turns = times.reduce((sum, each) => sum + each, 0)
  if (ended.length > 0 || turns >= mostTurns || (turns >= mostTurns - 1 && times.some((each) => each > 1)))
    return { next: 'stop', tasks }
  return !hasPrint(attempt.failure, print) && others.some(isFixing(print)) ? { next: 'wait', tasks } : null
}

const newPrints = ({ attempt }: TaskState): string[] =>
  (attempt?.checks ?? []).flatMap((record) =>
    isRed(record) && record.fingerprint !== null && !hasPrint(attempt?.failure ?? null, record.fingerprint)
      ? [record.fingerprint]
      : [],
  )

/** Whether the task waits until another one has tried to fix the failure that both show. */
export const waitsForFix = (state: RunState, task: TaskState): boolean =>
  newPrints(task).some((print) => othersWith(state, task.id, print).some(isFixing(print)))

/** Whether the task shows a failure that another one shows, too. */
export const isShared = (state: RunState, task: TaskState): boolean =>
  newPrints(task).some((print) => othersWith(state, task.id, print).length > 0)
