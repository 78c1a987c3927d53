/**
 * The backlog stage: tasks come from a source that people and agents change during the run. Before a task starts, the
 * source is polled and the task is claimed there. When no task is left, a reviewer searches for missing ones.
 */
import type { TaskAnswer } from '../../model/results.ts'
import type { BacklogState, RunState, TaskState } from '../../model/state.ts'
import type { SourceTask } from '../../model/source.ts'
import { compareIds, usualGoal } from '../../model/source.ts'
import { msBetween } from '../../model/time.ts'
import type { SyncWork } from '../../model/work.ts'
import { isTryAt, lookId, stepId, tryAt } from '../../model/work-id.ts'
import { ask } from '../answers.ts'
import { within } from '../policies/ladder.ts'
import { admitNewTasks } from '../policies/new-tasks.ts'
import { planGraph } from '../policies/plan-graph.ts'
import { sourceChanges } from '../policies/source-changes.ts'
import { environment, conclude, nothing, pause, record, want, type Proposal } from '../proposal.ts'
import { caughtEditing, openFor } from '../questions.ts'
import { findTask, taskOf } from '../task-graph.ts'
import { failsRun, unanswered } from '../unanswered.ts'
import { wait } from '../waiting.ts'
import { prepared } from '../workspace-needs.ts'
import { nextReady, retryFailed, startTask, stuck, scheduleTasks, unready } from './execute.ts'
import { concludeChecked } from './gate.ts'

export const decideBacklog = (state: RunState): Proposal =>
  decideTasks(state, { empty: (backlog) => write(state, backlog), done: (backlog) => review(state, backlog) })

/** The differences between a backlog that is the whole run and one that a pipeline stage works through. */
interface Ends {
  /** There is no task at all, or none that can be read. */
  empty(backlog: BacklogState): Proposal
  /** What must happen before the next task; null when nothing must. */
  rest?(): Proposal | null
  /** No task is left. */
  done(backlog: BacklogState): Proposal
}

export function decideTasks(state: RunState, ends: Ends): Proposal {
  const { backlog } = state
  if (!backlog) return nothing
  return (
    absorb(state, backlog)
    ?? open(state, backlog, ends)
    ?? scheduleTasks(state, {
      start: () =>
        (state.active.length === 0 && nextReady(state) !== null ? ends.rest?.() : null) ?? startClaimed(state, backlog),
      idle: () => wrapUp(state, backlog, ends),
    })
  )
}

/** Records the result of the last poll before anything else is decided. */
function absorb(state: RunState, { looks, complete: before }: BacklogState): Proposal | null {
  const outcome = Object.values(state.ledger['look'] ?? {})
    .map((entry) => entry.outcome)
    .find((each) => each.kind === 'sync')
  if (!outcome) return null
  const { claim, problems, complete } = outcome
  const facts = problems.length > 0 ? [] : sourceChanges(state, outcome)
  const taken =
    claim !== null && !claim.ok && findTask(state, claim.task)?.status === 'todo' ? taskOf(state, claim.task) : null
  if (taken) {
    facts.push({
      type: 'task.finished',
      task: taken.id,
      status: 'blocked',
      reason: 'another actor has taken it',
      block: 'external',
      evidence: [],
      commit: null,
      summary: null,
      by: 'source',
      taken: true,
    })
  }
  return record(...facts, {
    type: 'source.looked',
    look: looks,
    changes: facts.length,
    claimed: claim?.ok ? claim.task : null,
    problems,
    ...(outcome.text === undefined ? {} : { text: outcome.text }),
    // The mark `complete` from an earlier run is valid until this run starts a task. With a new goal it is ignored.
    complete: looks === 0 ? complete && !hasGoal(state) : before,
  })
}

/** Whether the user gave a goal beyond working through the backlog. */
const hasGoal = ({ goal, config, loop }: RunState): boolean => loop === null && goal !== usualGoal(config)

/** Polls the source. An outage is retried with growing, limited waits. */
function poll(
  state: RunState,
  { looks }: BacklogState,
  claim: string | null,
  write: SyncWork['write'] = null,
): Proposal {
  for (let tried = 0; ; tried++) {
    const id = tried === 0 ? lookId(looks) : tryAt(lookId(looks), `again${tried}`)
    const entry = state.ledger['look']?.[id]
    if (!entry) return want({ kind: 'sync', id, claim, write, ...(tried === 0 ? {} : { repeats: lookId(looks) }) })
    const { outcome, at } = entry
    if (outcome.kind !== 'failure') return nothing
    if (outcome.code !== 'ENVIRONMENT_SOURCE') return pause(environment(outcome))
    const nth = tried + 1
    const retry = { id: tryAt(lookId(looks), `wait${nth}`), question: lookId(looks), nth }
    const waiting = wait(state, retry, at, { kind: 'network', message: outcome.message, resetsAt: null })
    if (waiting) return waiting.proposal
  }
}

/** Polls until there is a task to work on. */
function open(state: RunState, backlog: BacklogState, { empty }: Ends): Proposal | null {
  if (state.plan.accepted) return null
  if (!backlog.fresh) return poll(state, backlog, null)
  return state.order.length === 0
    ? empty(backlog)
    : record({ type: 'plan.accepted', revision: backlog.looks, score: null, why: 'unreviewed' })
}

/** A planner writes a missing backlog, or repairs a broken one. */
function write(state: RunState, backlog: BacklogState): Proposal {
  const why = backlog.problems.length === 0 ? 'bootstrap' : 'repair'
  // Without `text`, the backlog can be read but not used. Only its owner can change it.
  if (why === 'repair' && backlog.text === undefined) return pause(broken(backlog.problems))
  if (!within(backlog.written, state.config.limits.planRevisions)) {
    return conclude({
      status: 'failed',
      reason: why === 'repair' ? `the backlog is still broken: ${backlog.problems[0]}` : 'the backlog is still empty',
    })
  }
  const workspace = prepared(state, stepId('backlog', 'prepare'), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const answer = ask(state, {
    id: stepId('backlog', why, backlog.looks),
    purpose: why,
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: backlog.looks,
    tree: workspace.outcome.tree,
    objections: ({ tasks }) => [...objections(tasks), ...(why === 'repair' ? missing(backlog, tasks) : [])],
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no backlog'))
  const caught = caughtEditing(state, answer.outcome.edited, 'planner', null, answer.outcome.id)
  return caught.length > 0
    ? record(...caught)
    : poll(state, backlog, null, { why, tasks: sourceTasks(answer.outcome.result.tasks, backlog.text) })
}

/** A repair must not lose a task of the backlog. */
function missing({ text = '' }: BacklogState, tasks: readonly TaskAnswer[]): string[] {
  const there = new Set([...text.matchAll(/"id"\s*:\s*"([^"\\]{1,100})"/g)].map(([, id = '']) => id))
  const lost = [...there].filter((id) => !tasks.some((task) => task.id === id))
  return lost.length === 0 ? [] : [`these tasks of the broken backlog are missing: ${lost.slice(0, 10).join(', ')}`]
}

const graphOf = (tasks: readonly TaskAnswer[]) =>
  planGraph(tasks, {
    exists: () => false,
    parent: null,
    depth: 0,
    keepIds: true,
    fields: ['repairs', 'allows'],
    name: (place) => `T${String(place).padStart(3, '0')}`,
  })

function objections(tasks: readonly TaskAnswer[]): string[] {
  if (tasks.length === 0) return ['a backlog needs at least one task']
  const graph = graphOf(tasks)
  return graph.ok ? [] : graph.errors
}

/** In a repaired backlog (`before`), closed tasks stay closed, and the repair cannot add permissions. */
function sourceTasks(answers: readonly TaskAnswer[], before?: string): SourceTask[] {
  const graph = graphOf(answers)
  if (!graph.ok) return []
  return graph.tasks.map(
    ({ id, title, description, dependsOn, criteria, files, type, repairs, allows = [] }, place) => {
      const answer = answers[place]
      const kept = allows.filter((entry) => before?.includes(JSON.stringify(entry)) !== false)
      const status = answer?.['status']
      return {
        id,
        title,
        description,
        dependsOn,
        criteria,
        files,
        type,
        priority: answer?.priority ?? place + 1,
        status: status === 'done' || status === 'blocked' || status === 'cancelled' ? status : 'todo',
        reason: null,
        ...(repairs ? { repairs } : {}),
        ...(kept.length > 0 ? { allows: kept } : {}),
        byAgent: true,
      }
    },
  )
}

/** Starts the claimed task; otherwise polls the source to claim the next one. */
function startClaimed(state: RunState, backlog: BacklogState): Proposal | null {
  const next = nextReady(state)
  if (next === null) return null
  const { claimed } = backlog
  const mine = claimed === null ? undefined : findTask(state, claimed)
  if (mine?.status === 'todo' && mine.waitingOn === 0) return unready(state, mine.id) ?? startTask(state, mine.id)
  return unready(state, next) ?? poll(state, backlog, next)
}

/** No work is under way and no task can start. */
function wrapUp(state: RunState, backlog: BacklogState, { done }: Ends): Proposal {
  if (state.request !== null) return nothing
  if (!backlog.fresh) return poll(state, backlog, null)
  if (backlog.problems.length > 0) return pause(broken(backlog.problems))
  return retryFailed(state) ?? retryBlocked(state) ?? stuck(state) ?? done(backlog)
}

export const broken = ([first]: readonly string[]) =>
  ({
    kind: 'setup',
    detail: `the backlog cannot be read, so it was left alone: ${first}`,
    hint: 'Fix it, then: looper resume',
  }) as const

const cooldownMs = 10 * 60_000

/** Retries a blocked task when another task was done since, or after a cooldown. Each retry counts as an attempt. */
function retryBlocked(state: RunState): Proposal | null {
  if (state.counts.blocked === 0) return null
  const chosen = state.order
    .map((id) => taskOf(state, id))
    .filter((task) => isRetriable(state, task))
    .toSorted((a, b) => a.priority - b.priority || compareIds(a.id, b.id))[0]
  if (!chosen) return null
  return record({ type: 'task.reopened', tasks: [chosen.id], why: hasNews(state, chosen) ? 'changed' : 'cooldown' })
}

/** A task that was blocked in its source is reopened only there. */
const isRetriable = (state: RunState, task: TaskState): boolean =>
  task.status === 'blocked'
  && task.held === undefined
  && task.waitingOn === 0
  && task.attemptsLeft > 0
  && openFor(state, task.id).length === 0
  && (hasNews(state, task) || (task.endedAt !== null && msBetween(task.endedAt, state.lastAt) >= cooldownMs))

/** Whether another task was done since this one was blocked. */
const hasNews = ({ backlog }: RunState, { doneBefore = 0 }: TaskState): boolean => (backlog?.finished ?? 0) > doneBefore

const noPlanner =
  'every task was closed already, and no review is allowed that would plan tasks for the goal: add tasks for it, '
  + 'allow one (--review, --goal-iterations 1), or choose --workflow supervised'

/** All tasks are done. An agent that has not done the work searches for missing tasks. */
function review(state: RunState, { reviews, complete }: BacklogState): Proposal {
  const { config } = state
  const isOver = complete || !config.review || !within(reviews, config.limits.goalIterations)
  if (isOver && reviews === 0 && state.wave === 0 && hasGoal(state))
    return conclude({ status: 'failed', reason: noPlanner })
  if (isOver) return concludeChecked(state)
  const round = reviews + 1
  const workspace = prepared(state, stepId('backlog', 'prepare', round), 'main')
  if (workspace.status === 'not-yet') return workspace.proposal
  const id = stepId('backlog', 'review', round)
  const others = state.order.filter((each) => !isTryAt(taskOf(state, each).origin, id))
  const graphFor = (tasks: readonly TaskAnswer[]) =>
    planGraph(tasks, {
      exists: (name) => others.includes(name),
      parent: null,
      depth: 0,
      keepIds: true,
      name: (place) => `T${String(others.length + place).padStart(3, '0')}`,
    })
  const answer = ask(state, {
    id,
    purpose: 'review',
    workspace: 'main',
    task: null,
    attempt: 1,
    turn: round,
    tree: workspace.outcome.tree,
    objections({ new_tasks: tasks }) {
      const graph = graphFor(tasks)
      return graph.ok ? [] : graph.errors
    },
  })
  if (answer.status !== 'done') return unanswered(answer, failsRun('no review of the backlog'))
  const whose = { origin: answer.outcome.id, task: null, most: null }
  const { admitted, findings } = admitNewTasks(state, answer.outcome.result.new_tasks, whose)
  const graph = graphFor(admitted)
  const tasks = graph.ok ? graph.tasks : []
  return record(
    ...caughtEditing(state, answer.outcome.edited, 'iterator', null, answer.outcome.id),
    ...tasks
      .filter((task) => !findTask(state, task.id))
      .map((task) => ({ type: 'task.added', task, origin: answer.outcome.id }) as const),
    ...findings,
    { type: 'backlog.reviewed', round, added: tasks.length },
  )
}
