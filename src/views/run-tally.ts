/** Tallies one run event by event: its turns, tasks, attempts, failures and times. */
import { afterRest, type Event } from '../model/event.ts'
import { writes } from '../model/purposes.ts'
import type { RunState } from '../model/state.ts'
import type { Complexity, TaskStatus } from '../model/task.ts'
import { msBetween } from '../model/time.ts'
import type { Usage } from '../model/usage.ts'
import { isRetryWait, type Outcome, type TurnWork, type Work } from '../model/work.ts'
import { shownStatus, type ShownStatus } from './progress.ts'

export interface TurnTally {
  agent: string
  model: string | null
  /** Null while it is running, and when it was lost. */
  durationMs: number | null
  usage: Usage
}

export interface AttemptTally {
  n: number
  agent: string
  /** The model of its first turn. */
  model: string | null
  done: boolean
}

export interface TaskTally {
  type: string | null
  complexity: Complexity
  status: TaskStatus
  attempts: AttemptTally[]
}

export interface RunTally {
  status: ShownStatus
  runningMs: number
  waitingMs: number
  turns: TurnTally[]
  tasks: TaskTally[]
  failures: { kind: 'agent' | 'answer' | 'check' | 'verdict' | 'merge' | 'attempt' | 'environment'; name: string }[]
}

export function tallyRun(events: readonly Event[], live: boolean): RunTally {
  const tasks = new Map<string, TaskTally>()
  const works = new Map<string, { work: Work; turn: TurnTally | null }>()
  const tally: RunTally = { status: 'new', runningMs: 0, waitingMs: 0, turns: [], tasks: [], failures: [] }
  const run: Pick<RunState, 'status' | 'lastAt'> = { status: 'new', lastAt: '' }
  for (const event of events) {
    // A crashed run may be rolled back much later. As after a rest, the time before such an event does not count.
    const isAfterRest = afterRest.has(event.type) || event.type === 'rolled.back'
    if (run.status === 'running' && !isAfterRest) passTime(msBetween(run.lastAt, event.at))
    run.lastAt = event.at
    look(event)
  }
  return { ...tally, status: shownStatus(run, { live }), tasks: [...tasks.values()] }

  /** Counts like the run itself: no running time passes while all work waits for a limit, nor between two engines. */
  function passTime(passed: number): void {
    const under = [...works.values()].map(({ work }) => work)
    const waits = under.some(isRetryWait)
    if (waits) tally.waitingMs += passed
    if (!waits || under.some(({ kind }) => kind !== 'wait')) tally.runningMs += passed
  }

  function look(event: Event): void {
    switch (event.type) {
      case 'run.started':
      case 'run.resumed':
        run.status = 'running'
        break
      case 'run.forked':
        leaveToOrigin()
        break
      case 'run.paused':
        run.status = 'paused'
        break
      case 'run.ended':
        run.status = event.status
        for (const task of tasks.values()) if (task.status === 'doing') task.status = 'todo'
        break
      case 'task.added':
        tasks.set(event.task.id, {
          type: event.task.type,
          complexity: event.task.complexity,
          status: statusAtFirst(event),
          attempts: [],
        })
        break
      case 'task.started':
        change(event.task, 'doing')?.attempts.push({ n: event.attempt, agent: event.agent, model: null, done: false })
        break
      case 'task.reopened':
        for (const id of event.tasks) change(id, 'todo')
        break
      case 'task.finished':
        finishTask(event)
        break
      case 'task.undone':
        change(event.task, 'todo')
        break
      case 'rolled.back':
        goBack(event.tasks)
        break
      case 'attempt.failed':
        fail('attempt', event.failure.kind)
        if (event.next === 'retry') change(event.task, 'todo')
        break
      case 'check.finished':
        if (!event.passed && event.usable) fail('check', event.check)
        break
      case 'verdict.given':
        if (!event.verdict.approved) fail('verdict', event.subject.kind)
        break
      case 'work.started':
        startWork(event.work)
        break
      case 'budget.spent':
        spend(event.work, event.usage)
        break
      case 'work.finished':
        finishWork(event.id, event.outcome)
        break
      case 'work.lost':
        works.delete(event.id)
        break
      default:
    }
  }

  /** Events before the fork count for the original run. */
  function leaveToOrigin(): void {
    run.status = 'paused'
    works.clear()
    Object.assign(tally, { runningMs: 0, waitingMs: 0, turns: [], failures: [] } satisfies Partial<RunTally>)
    for (const [id, task] of tasks) {
      if (task.status === 'done' || task.status === 'split') tasks.delete(id)
      else
        Object.assign(task, {
          attempts: [],
          status: task.status === 'doing' ? 'todo' : task.status,
        } satisfies Partial<TaskTally>)
    }
  }

  /** Cancels the running attempts; a run that rested may continue. */
  function goBack(undone: readonly string[]): void {
    for (const id of undone) change(id, 'todo')
    for (const task of tasks.values()) if (task.status === 'doing') task.status = 'todo'
    if (run.status !== 'running') run.status = 'paused'
  }

  function change(id: string, status: TaskStatus): TaskTally | undefined {
    const task = tasks.get(id)
    if (task) task.status = status
    return task
  }

  function fail(kind: RunTally['failures'][number]['kind'], name: string): void {
    tally.failures.push({ kind, name })
  }

  function finishTask({ task: id, status, by }: Event<'task.finished'>): void {
    const last = change(id, status)?.attempts.at(-1)
    if (last && status === 'done' && by !== 'source') last.done = true
  }

  function startWork(work: Work): void {
    const turn = work.kind === 'turn' ? turnOf(work) : null
    works.set(work.id, { work, turn })
    if (turn) tally.turns.push(turn)
  }

  function turnOf({ agent, model, purpose, task, attempt }: TurnWork): TurnTally {
    const own = task === null || !writes(purpose) ? undefined : tasks.get(task)?.attempts.at(-1)
    if (own?.n === attempt && own.model === null) Object.assign(own, { model })
    return { agent, model, durationMs: null, usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } }
  }

  /** Usage is cumulative for the turn, so the last value counts. */
  function spend(id: string, usage: Usage): void {
    const turn = works.get(id)?.turn
    if (turn) turn.usage = usage
  }

  function finishWork(id: string, outcome: Outcome): void {
    const turn = works.get(id)?.turn
    if (!works.delete(id)) return
    if (outcome.kind === 'failure') return fail('environment', outcome.code)
    if (outcome.kind === 'integrate' && outcome.status === 'conflict') return fail('merge', 'conflict')
    if (outcome.kind !== 'turn') return
    if (turn) Object.assign(turn, { usage: outcome.usage, durationMs: outcome.durationMs })
    if (outcome.status === 'error') fail('agent', outcome.error.kind)
    if (outcome.status === 'invalid') fail('answer', 'invalid')
  }
}

/** The status in the source; a task that was in progress there starts anew. */
const statusAtFirst = ({ was }: Event<'task.added'>): TaskStatus =>
  was === undefined || was.status === 'doing' ? 'todo' : was.status
