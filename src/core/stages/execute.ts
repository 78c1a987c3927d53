/** The execute stage: starts ready tasks, advances every active task, and decides what follows when nothing can run. */
import type { Fact, PauseReason } from '../../model/event.ts'
import type { PlannerResult } from '../../model/results.ts'
import type { QuestionState, RunState, TaskState } from '../../model/state.ts'
import type { Work } from '../../model/work.ts'
import { stepId } from '../../model/work-id.ts'
import { ask } from '../answers.ts'
import { isParkedBy } from '../parking.ts'
import { waitsFor } from '../../model/waiting-reason.ts'
import { limitReached } from '../policies/budget.ts'
import { errorLine } from '../policies/error-line.ts'
import { overlap } from '../policies/file-overlap.ts'
import { within } from '../policies/ladder.ts'
import { stall } from '../policies/monitor.ts'
import { planGraph } from '../policies/plan-graph.ts'
import { conclude, enterNext, nothing, pause, record, type Proposal } from '../proposal.ts'
import { caughtEditing, openFor, waitingFor } from '../questions.ts'
import { mayStart } from '../slots.ts'
import { findTask, leafCount, satisfied, taskOf } from '../task-graph.ts'
import { unanswered } from '../unanswered.ts'
import { prepared } from '../workspace-needs.ts'
import { decideAttempt } from './attempt.ts'
import { emptyQueue, landingQueue, type LandingQueue } from './landing-queue.ts'
import { decideAttempts, raceWidth } from './race.ts'
import { taskRoute } from './task-route.ts'
import { closeWave, recordReverted } from './wave.ts'

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
  let held: PauseReason | undefined
  for (const id of state.active) {
    const proposal = decideTask(state, taskOf(state, id), {
      ...queue,
      mayIntegrate: integrating === null || integrating === id,
    })
    if (proposal.facts.length > 0) return proposal
    if (proposal.work.some(({ kind }) => kind === 'integrate')) integrating ??= id
    held ??= proposal.pause
    work.push(...proposal.work.filter(slots))
  }
  if (held) return { facts: [], work, pause: held }
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
  let turns = Object.values(works).filter(({ work }) => work.kind === 'turn' && work.task !== null).length
  return ({ kind, id }) => kind !== 'turn' || works[id] !== undefined || turns++ < config.parallel
}

/**
 * Before a run ends, pauses or rolls back, tasks that have landed are recorded as done, and reverted ones as undone.
 */
export function recordLanded(state: RunState): Proposal | null {
  for (const task of state.active.map((id) => taskOf(state, id))) {
    const { facts } =
      task.attempt && !task.racers?.length ? decideAttempt(state, task, task.attempt, emptyQueue) : nothing
    if (facts.some((fact) => fact.type === 'task.finished' && fact.status === 'done')) return record(...facts)
  }
  return recordReverted(state)
}

function decideTask(state: RunState, task: TaskState, queue: LandingQueue): Proposal {
  if (task.attempt) return decideAttempts(state, task, task.attempt, queue)
  return task.next === 'split' ? split(state, task) : record(finished(task, lastFailure(task)))
}

const lastFailure = (task: TaskState): string => task.failures.at(-1)?.summary ?? 'failed'

const finished = (task: TaskState, reason: string): Fact => ({
  type: 'task.finished',
  task: task.id,
  status: 'failed',
  reason,
  block: null,
  evidence: [],
  commit: null,
  summary: null,
})

/** The next task that may start; null when no slot is free or when a person asked the run to stop. */
export function nextReady(state: RunState): string | null {
  if (state.request !== null || !mayStart(state) || waveIsFull(state)) return null
  return state.ready.find((id) => mayRunNow(state, taskOf(state, id))) ?? null
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

/** Tasks that declare the same files do not run in parallel. */
function mayRunNow({ active, tasks }: RunState, { files }: TaskState): boolean {
  return (
    files.length === 0
    || !active.some((id) => tasks[id]?.files.some((one) => files.some((other) => overlap(one, other))))
  )
}

function startNext(state: RunState): Proposal | null {
  const id = nextReady(state)
  return id === null ? null : (unready(state, id) ?? startTask(state, id))
}

/** Why the task cannot start; null when it can. */
export function unready(state: RunState, id: string): Proposal | null {
  const task = taskOf(state, id)
  const [question] = openFor(state, id)
  if (question) {
    return record({
      type: 'task.finished',
      task: id,
      status: 'blocked',
      reason: waitsFor(question.id),
      block: 'external',
      evidence: [],
      commit: null,
      summary: null,
    })
  }
  if (task.attemptsLeft <= 0)
    return record(
      finished(task, task.failures.length > 0 ? lastFailure(task) : `no attempt is left of ${task.attempts}`),
    )
  if (state.waveTasks.length > 0 || within(state.wave, state.config.limits.iterations)) return null
  if (state.active.length > 0) return nothing
  const { iterations } = state.config.limits
  const hint = `looper resume --iterations <more than ${state.wave}>`
  return pause(limitReached(`the limit of ${iterations} iteration${iterations === 1 ? '' : 's'}`, hint))
}

export function startTask(state: RunState, id: string): Proposal {
  const task = taskOf(state, id)
  const wave = state.waveTasks.length === 0 ? state.wave + 1 : state.wave
  return record(
    ...Array.from({ length: raceWidth(state, task) }, (_, racer): Fact => {
      const attempt = { n: task.attempts + 1 + racer, ...(racer === 0 ? {} : { racer }) }
      const { agent } = taskRoute(state, task, attempt)
      return {
        type: 'task.started',
        task: id,
        attempt: attempt.n,
        agent,
        wave,
        ...(racer === 0 ? {} : { lane: racer }),
      }
    }),
  )
}

/** No attempts are left: the planner splits the task into two or three smaller ones. */
function split(state: RunState, task: TaskState): Proposal {
  const workspace = prepared(state, stepId(stepId(task.id, 'split', task.attempts), 'prepare'), task.id, task.id)
  if (workspace.status === 'not-yet') return workspace.proposal
  const graphOf = (plan: PlannerResult) =>
    planGraph(plan.tasks, {
      exists: (id) => findTask(state, id) !== undefined && !task.children.includes(id),
      mayDependOn: (id) => {
        const known = findTask(state, id)
        return known !== undefined && satisfied(state, known)
      },
      parent: task.id,
      depth: task.depth + 1,
      keepIds: false,
      // Parts inherit the permissions of the whole task. The guard may just have stopped this agent, so it may not add
      // any.
      fields: ['repairs'],
      name: (place) => `${task.id}.${place}`,
    })
  const answer = ask(state, {
    id: stepId(task.id, 'split', task.attempts),
    purpose: 'split',
    workspace: task.id,
    task: task.id,
    attempt: task.attempts,
    turn: task.index + task.attempts,
    tree: workspace.outcome.tree,
    objections: (plan) => {
      if (plan.tasks.length < 2 || plan.tasks.length > 3)
        return [`split it into 2 or 3 tasks, not ${plan.tasks.length}`]
      const graph = graphOf(plan)
      return graph.ok ? [] : graph.errors
    },
  })
  if (answer.status !== 'done') {
    const both = (message: string): string => `${lastFailure(task)}; splitting it failed too: ${errorLine(message)}`
    return unanswered(answer, ({ message }) => record(finished(task, both(message))))
  }
  const graph = graphOf(answer.outcome.result)
  const children = graph.ok ? graph.tasks : []
  return record(
    ...caughtEditing(state, answer.outcome.edited, 'planner', task.id, answer.outcome.id),
    ...children
      .filter(({ id }) => !state.tasks[id])
      .map((spec): Fact => ({ type: 'task.added', task: spec, origin: answer.outcome.id })),
    {
      type: 'task.finished',
      task: task.id,
      status: 'split',
      reason: lastFailure(task),
      block: null,
      evidence: [],
      commit: null,
      summary: null,
    },
  )
}

/** No work is under way and no task can start. */
function idle(state: RunState): Proposal {
  if (state.request !== null) return nothing
  return retryFailed(state) ?? stuck(state) ?? enterNext(state)
}

/** Reopens all failed tasks while goal iterations are left. */
export function retryFailed(state: RunState): Proposal | null {
  if (state.counts.failed === 0 || !within(state.goalIteration, state.config.limits.goalIterations)) return null
  return record({
    type: 'task.reopened',
    tasks: state.order.filter((id) => taskOf(state, id).status === 'failed'),
    why: 'goal-iteration',
  })
}

/** The remaining tasks cannot be done; null when none remains. */
export function stuck(state: RunState): Proposal | null {
  const { failed, blocked, todo } = state.counts
  if (blocked > 0) return pause(blockage(state))
  if (failed > 0) return conclude({ status: 'failed', reason: failedOf(failed, leafCount(state), state) })
  return todo > 0
    ? conclude({ status: 'failed', reason: `${todo} task${todo === 1 ? '' : 's'} can never start` })
    : null
}

function blockage(state: RunState): PauseReason {
  const open = waitingFor(state.questions.filter(({ answer, blocks }) => answer === null && blocks.length > 0))
  if (open) return open
  const blocked = state.order.map((id) => taskOf(state, id)).filter(({ status }) => status === 'blocked')
  return {
    kind: 'blocked',
    detail: blocked
      .map(({ id, reason, block }) => `${id} is blocked (${block}): ${reason ?? 'no reason is given'}`)
      .join('; '),
    hint: 'Remove what blocks it, then: looper resume',
  }
}

const failedOf = (failed: number, all: number, state: RunState): string =>
  `${failed} of ${all} task${all === 1 ? '' : 's'} failed: ${reasons(state)}`

function reasons(state: RunState): string {
  const failed = state.order.map((id) => taskOf(state, id)).filter(({ status }) => status === 'failed')
  const named = failed.slice(0, 3).map(({ id, reason }) => `${id}: ${reason}`)
  return [...named, ...(failed.length > 3 ? [`and ${failed.length - 3} more`] : [])].join('; ')
}
