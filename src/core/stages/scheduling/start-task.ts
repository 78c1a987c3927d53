/** The start of a task: which one is next, whether it may start, and with which attempts. */
import type { ShownFailure } from '../../../model/convergence.ts'
import type { Fact } from '../../../model/event.ts'
import type { RunState, TaskState } from '../../../model/state.ts'
import { waitsFor } from '../../../model/waiting-reason.ts'
import { limitReached } from '../../policies/budget.ts'
import { overlap } from '../../policies/file-overlap.ts'
import { within } from '../../policies/ladder.ts'
import { isAnyShared } from '../../policies/same-failure.ts'
import { stall } from '../../policies/monitor.ts'
import { nothing, pause, record, type Proposal } from '../../proposal.ts'
import { holdsUp } from '../../questions/guard-question.ts'
import { openFor } from '../../questions/questions.ts'
import { mayStart } from '../../tasks/attempts-in-flight.ts'
import { taskOf } from '../../tasks/task-graph.ts'
import { raceWidth } from '../attempt/race.ts'
import { taskRoute } from '../attempt/task-route.ts'
import { finishFailed, lastFailure } from '../attempt/finish-task.ts'
import { taskBlocked } from '../../tasks/task-ends.ts'

/** The next task that may start; null when no slot is free or when a person asked the run to stop. */
export function nextReady(state: RunState): string | null {
  if (state.request !== null || !mayStart(state) || waveIsFull(state) || isInDoubt(state)) return null
  const next = state.ready.find((id) => mayRunNow(state, taskOf(state, id))) ?? null
  return next === null ? null : (untriedBefore(state, next) ?? next)
}

/** So many turns with one failure say that another attempt has little chance. */
const enoughTurns = 3

/**
 * After the same failure again and again, a task that was not tried comes first: if it fails in the same way, the cause
 * is not in the task, and no more attempts are spent on it. The order of a backlog belongs to its owner.
 */
function untriedBefore(state: RunState, next: string): string | null {
  const { backlog, convergence, ready } = state
  const isInVain = ({ task, turns }: ShownFailure): boolean => task === next && turns.length >= enoughTurns
  if (backlog !== null || !convergence.shown?.some(isInVain)) return null
  const isUntried = (task: TaskState): boolean => task.attempts === 0 && mayRunNow(state, task)
  return ready.find((id) => isUntried(taskOf(state, id))) ?? null
}

const wavesTake = 8

/** A full wave starts no more tasks, so that it can close and the monitor can run; also when all work stalls. */
function waveIsFull(state: RunState): boolean {
  const {
    active,
    waveTasks,
    wave,
    convergence: { failures },
    config,
  } = state
  if (active.length === 0) return false
  if (waveTasks.length >= wavesTake * config.parallel) return true
  return failures.filter((failed) => failed.wave === wave).length >= 3 && stall(state) !== null
}

/** While a check may be unable to run, or fails alike in two tasks, no further task starts that would need it. */
const isInDoubt = (state: RunState): boolean =>
  isAnyShared(state)
  || state.active.some((id) =>
    state.tasks[id]?.attempt?.checks.some(({ cannotRun, usable }) => usable && cannotRun !== undefined),
  )

/** Tasks that declare the same files do not run in parallel. */
function mayRunNow({ active, tasks }: RunState, { files }: TaskState): boolean {
  return (
    files.length === 0
    || !active.some((id) => tasks[id]?.files.some((one) => files.some((other) => overlap(one, other))))
  )
}

/** Why the task cannot start; null when it can. */
export function unready(state: RunState, id: string): Proposal | null {
  const task = taskOf(state, id)
  const question = openFor(state, id).find((open) => holdsUp(open, task))
  if (question) {
    return record(taskBlocked(id, waitsFor(question.id), 'external', { question: question.id }))
  }
  if (task.attemptsLeft <= 0)
    return finishFailed(task, task.failures.length > 0 ? lastFailure(task) : `no attempt is left of ${task.attempts}`)
  if (state.waveTasks.length > 0 || within(state.wave, state.config.limits.iterations)) return null
  if (state.active.length > 0) return nothing
  const { iterations } = state.config.limits
  const options = `--iterations <more than ${state.wave}>`
  return pause(limitReached(`the limit of ${iterations} iteration${iterations === 1 ? '' : 's'}`, options))
}

export function startTask(state: RunState, id: string): Proposal {
  const task = taskOf(state, id)
  const wave = state.waveTasks.length === 0 ? state.wave + 1 : state.wave
  const start = (racer: number): Fact => {
    const attempt = { n: task.attempts + 1 + racer, ...(racer === 0 ? {} : { racer }) }
    const { agent } = taskRoute(state, task, attempt)
    return { type: 'task.started', task: id, attempt: attempt.n, agent, wave, ...(racer === 0 ? {} : { racer }) }
  }
  const others = Array.from({ length: raceWidth(state, task) - 1 }, (_, index) => start(index + 1))
  return record(start(0), ...others)
}
