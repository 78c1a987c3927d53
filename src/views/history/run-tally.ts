/** Tallies one run step by step: its turns, tasks, attempts, failures and times. */
import type { Event } from '../../model/event.ts'
import { writes } from '../../model/purposes.ts'
import type { RunStep } from '../../model/run-step.ts'
import type { RunState } from '../../model/state.ts'
import type { Complexity, TaskStatus } from '../../model/task.ts'
import type { Usage } from '../../model/usage.ts'
import type { Outcome, TurnWork, Work } from '../../model/work.ts'
import { elapsedMs, shownStatus, type ShownStatus } from '../facts/progress.ts'

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

/** The state has the tasks and the times; turns, attempts and failures are counted here, since it keeps only some. */
export function tallyRun(steps: Iterable<RunStep>, live: boolean): RunTally {
  let run: RunState | null = null
  let waitedMs = 0
  /** Tasks that were done or split before the fork: they count for the original run. */
  const ofOrigin = new Set<string>()
  const attempts = new Map<string, AttemptTally[]>()
  /** Work under way, with its turn if it is one. */
  const works = new Map<string, TurnTally | null>()
  const counted: Pick<RunTally, 'waitingMs' | 'turns' | 'failures'> = { waitingMs: 0, turns: [], failures: [] }
  for (const { event, state } of steps) {
    // A resume sets the waited time of the state back to zero.
    counted.waitingMs += Math.max(0, state.waitedMs - waitedMs)
    waitedMs = state.waitedMs
    run = state
    count(event, state)
  }
  if (run === null) return { ...counted, status: 'new', runningMs: 0, tasks: [] }
  const tasks = Object.values(run.tasks).filter(({ id }) => !ofOrigin.has(id))
  return {
    ...counted,
    status: shownStatus(run, { live }),
    runningMs: elapsedMs(run),
    tasks: tasks.map(({ id, type, complexity, status }) => ({
      type,
      complexity,
      status,
      attempts: attempts.get(id) ?? [],
    })),
  }

  function count(event: Event, state: RunState): void {
    switch (event.type) {
      case 'run.forked':
        leaveToOrigin(state)
        break
      case 'task.started':
        attemptsAt(event.task).push({ n: event.attempt, agent: event.agent, model: null, done: false })
        break
      case 'task.finished':
        finishTask(event)
        break
      case 'attempt.failed':
        fail('attempt', event.failure.kind)
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
  function leaveToOrigin(state: RunState): void {
    works.clear()
    attempts.clear()
    Object.assign(counted, { waitingMs: 0, turns: [], failures: [] } satisfies typeof counted)
    for (const { id, status } of Object.values(state.tasks))
      if (status === 'done' || status === 'split') ofOrigin.add(id)
  }

  function attemptsAt(task: string): AttemptTally[] {
    const known = attempts.get(task) ?? []
    attempts.set(task, known)
    return known
  }

  function fail(kind: RunTally['failures'][number]['kind'], name: string): void {
    counted.failures.push({ kind, name })
  }

  function finishTask({ task, status, by }: Event<'task.finished'>): void {
    const last = attemptsAt(task).at(-1)
    if (last && status === 'done' && by !== 'source') last.done = true
  }

  function startWork(work: Work): void {
    const turn = work.kind === 'turn' ? turnOf(work) : null
    works.set(work.id, turn)
    if (turn) counted.turns.push(turn)
  }

  function turnOf({ agent, model, purpose, task, attempt }: TurnWork): TurnTally {
    const own = task === null || !writes(purpose) ? undefined : attemptsAt(task).at(-1)
    if (own?.n === attempt && own.model === null) Object.assign(own, { model })
    return { agent, model, durationMs: null, usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } }
  }

  /** Usage is cumulative for the turn, so the last value counts. */
  function spend(id: string, usage: Usage): void {
    const turn = works.get(id)
    if (turn) turn.usage = usage
  }

  function finishWork(id: string, outcome: Outcome): void {
    const turn = works.get(id)
    if (!works.delete(id)) return
    if (outcome.kind === 'failure') return fail('environment', outcome.code)
    if (outcome.kind === 'integrate' && outcome.status === 'conflict') return fail('merge', 'conflict')
    if (outcome.kind !== 'turn') return
    if (turn) Object.assign(turn, { usage: outcome.usage, durationMs: outcome.durationMs })
    if (outcome.status === 'error') fail('agent', outcome.error.kind)
    if (outcome.status === 'invalid') fail('answer', 'invalid')
  }
}
