/** The execute stage: starts ready tasks, advances every active task, and decides what follows when nothing can run. */
import type { PauseReason } from '../../model/event.ts'
import type { QuestionState, RunState, TaskState } from '../../model/state.ts'
import type { Work } from '../../model/work.ts'
import { isParkedBy } from '../questions/parking.ts'
import { conclude, enterNext, nothing, record, recordAny, type Proposal } from '../proposal.ts'
import { askAfterFailure } from '../questions/guard-question.ts'
import { openFor } from '../questions/questions.ts'
import { leafCount, taskOf } from '../tasks/task-graph.ts'
import { decideAttempt } from './attempt/attempt.ts'
import { emptyQueue, landingQueue, type LandingQueue } from './attempt/landing-queue.ts'
import { decideAttempts } from './attempt/race.ts'
import { closeWave, recordReverted } from './wave/wave.ts'
import { finishFailed, lastFailure } from './attempt/finish-task.ts'
import { nextReady, unready, startTask } from './scheduling/start-task.ts'
import { splitTask } from './scheduling/split-task.ts'
import { retryFailed, stuck, failedOf } from './scheduling/remaining-tasks.ts'

export const decideExecute = (state: RunState): Proposal => scheduleTasks(state, { start: startNext, idle })

/** The differences between a plan and a backlog: how the next task starts, and what follows when none can. */
export interface Scheduling {
  start(state: RunState): Proposal | null
  idle(state: RunState): Proposal
}

/** Advances every active task and starts new ones. */
export function scheduleTasks(state: RunState, scheduling: Scheduling): Proposal {
  return reopen(state) ?? unpark(state) ?? tooManyFailed(state) ?? advanceTasks(state, scheduling)
}

/** After a resume, failed tasks and tasks that waited for a person's action get another chance. */
function reopen(state: RunState): Proposal | null {
  if (!state.reopening) return null
  const again = state.order.filter((id) => {
    const { status } = taskOf(state, id)
    return status === 'failed' || (status === 'blocked' && openFor(state, id).length === 0)
  })
  return record({ type: 'task.reopened', tasks: again, why: 'resumed' })
}

/** Reopens tasks that were parked on questions when all of these are answered. */
function unpark(state: RunState): Proposal | null {
  if (state.counts.blocked === 0) return null
  const parked = (id: string, question: QuestionState): boolean => {
    const task = taskOf(state, id)
    return (
      task.status === 'blocked'
      && task.held === undefined
      && isParkedBy(task, question)
      && openFor(state, id).length === 0
    )
  }
  const again = state.questions.flatMap((question) => question.blocks.filter((id) => parked(id, question)))
  return again.length === 0 ? null : record({ type: 'task.reopened', tasks: [...new Set(again)], why: 'answered' })
}

function tooManyFailed(state: RunState): Proposal | null {
  const leaves = leafCount(state)
  const { failed } = state.counts
  if (leaves < 4 || failed <= leaves * state.config.thresholds.failedTasksAbort) return null
  return conclude({ status: 'failed', reason: failedOf(failed, leaves, state) })
}

function advanceTasks(state: RunState, scheduling: Scheduling): Proposal {
  const queue = landingQueue(state)
  const work: Proposal['work'] = []
  const busy = integratingTasks(state)
  let integrating = state.active.find((id) => busy.has(id)) ?? null
  const slots = freeTurns(state)
  let pausing: PauseReason | undefined
  for (const id of state.active) {
    const mayIntegrate = integrating === null || integrating === id
    const proposal = decideTask(state, taskOf(state, id), { mayIntegrate, last: queue.last, commits: queue.commits })
    if (proposal.facts.length > 0) return proposal
    if (proposal.work.some(({ kind }) => kind === 'integrate')) integrating ??= id
    pausing ??= proposal.pause
    work.push(...proposal.work.filter(slots))
  }
  if (pausing) return { facts: [], work, pause: pausing }
  const closed = state.active.length === 0 ? closeWave(state) : null
  if (closed) return closed
  const start = scheduling.start(state)
  if (start === null) return state.active.length === 0 ? scheduling.idle(state) : { facts: [], work }
  return { ...start, work: [...work, ...start.work] }
}

function integratingTasks({ works }: RunState): ReadonlySet<string> {
  const tasks = new Set<string>()
  for (const { work } of Object.values(works)) if (work.kind === 'integrate') tasks.add(work.task)
  return tasks
}

/** An attempt that waited to land and needs a fix takes a slot again: its turn waits while all slots are taken. */
function freeTurns({ works, config }: RunState): (work: Work) => boolean {
  let turns: number | null = null
  return ({ kind, id }) => {
    if (kind !== 'turn' || works[id] !== undefined) return true
    turns ??= Object.values(works).filter(({ work }) => work.kind === 'turn' && work.task !== null).length
    return turns++ < config.parallel
  }
}

/**
 * Before a run ends, pauses or rolls back, tasks that have landed are recorded as done, and reverted ones as undone.
 */
export function recordLanded(state: RunState): Proposal | null {
  for (const task of state.active.map((id) => taskOf(state, id))) {
    const { facts } =
      task.attempt && !task.racers?.length ? decideAttempt(state, task, task.attempt, emptyQueue) : nothing
    if (facts.some((fact) => fact.type === 'task.finished' && fact.status === 'done')) return recordAny(facts)
  }
  return recordReverted(state)
}

function decideTask(state: RunState, task: TaskState, queue: LandingQueue): Proposal {
  if (task.attempt) return decideAttempts(state, task, task.attempt, queue)
  if (task.next === 'split') return splitTask(state, task)
  const failed = finishFailed(task, endOf(state, task))
  return { ...failed, facts: [...askAfterFailure(state, task), ...failed.facts] }
}

/** A task that its attempts change nothing for may be done already. */
const endOf = ({ run }: RunState, task: TaskState): string =>
  task.failures.at(-1)?.kind === 'no-change'
    ? `${lastFailure(task)}; it may be done already: looper task skip ${task.id} --run ${run}`
    : lastFailure(task)

function startNext(state: RunState): Proposal | null {
  const id = nextReady(state)
  return id === null ? null : (unready(state, id) ?? startTask(state, id))
}

/** No work is under way and no task can start. */
function idle(state: RunState): Proposal {
  if (state.request !== null) return nothing
  return retryFailed(state) ?? stuck(state) ?? enterNext(state)
}
