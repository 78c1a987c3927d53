/** Summarizes runs from their events and states: the stable shape of `looper stats --json`. */
import type { RunStep } from '../../model/run-step.ts'
import type { Complexity, TaskStatus } from '../../model/task.ts'
import type { Usage } from '../../model/usage.ts'
import type { ShownStatus } from '../facts/progress.ts'
import { tallyRun, type RunTally, type TaskTally } from './run-tally.ts'
import { usageView } from '../status/status.ts'

/** The results of an agent, or of one of its models. */
export interface Worker {
  agent: string
  /** Null: the agent's default. Absent when models are not distinguished. */
  model?: string | null
  /** Attempts started, those that ended with the task done, and how many of these were first attempts. */
  attempts: number
  done: number
  firstTry: number
  turns: number
  averageTurnMs: number | null
  usage: Usage
}

/** The results of tasks of one kind. */
export interface TaskGroup {
  tasks: number
  done: number
  firstTry: number
  failed: number
  attempts: number
}

export type Counts = Record<string, number>

export interface Stats {
  runs: number
  byStatus: Partial<Record<ShownStatus, number>>
  turns: number
  averageTurnMs: number | null
  usage: Usage
  time: { runningMs: number; waitingMs: number }
  tasks: Partial<Record<TaskStatus, number>>
  failures: {
    /** Turns that ended in an error, by kind, and invalid answers. */
    agentErrors: Counts
    invalidAnswers: number
    /** Failing checks by name, rejections by subject, and reasons of failed attempts. */
    checks: Counts
    verdicts: Counts
    conflicts: number
    attempts: Counts
    /** Work that failed because of git, set-up or the disk, by error code. */
    environment: Counts
  }
  agents: Worker[]
  models: Worker[]
  byType: ({ type: string | null } & TaskGroup)[]
  byComplexity: ({ complexity: Complexity } & TaskGroup)[]
  /** Runs that could not be read, with the reason. */
  unreadable: { run: string; why: string }[]
}

export interface RecordedRun {
  /** Its events, each with the state after it. */
  steps: Iterable<RunStep>
  /** A process is running the run right now. */
  live: boolean
}

export function statsOf(runs: readonly RecordedRun[], unreadable: Stats['unreadable'] = []): Stats {
  const tallies = runs.map(({ steps, live }) => tallyRun(steps, live))
  const all = <T>(part: (tally: RunTally) => readonly T[]): T[] => tallies.flatMap(part)
  const sum = (part: (tally: RunTally) => number): number => tallies.reduce((total, tally) => total + part(tally), 0)
  const tasks = all((tally) => tally.tasks)
  const turns = all((tally) => tally.turns)
  const failures = all((tally) => tally.failures)
  const failed = (kind: string): Counts =>
    counted(failures.flatMap((failure) => (failure.kind === kind ? [failure.name] : [])))
  return {
    runs: runs.length,
    byStatus: counted(tallies.map(({ status }) => status)),
    turns: turns.length,
    averageTurnMs: average(turns),
    usage: usageOf(turns),
    time: { runningMs: sum(({ runningMs }) => runningMs), waitingMs: sum(({ waitingMs }) => waitingMs) },
    tasks: counted(tasks.map(({ status }) => status)),
    failures: {
      agentErrors: failed('agent'),
      invalidAnswers: failed('answer')['invalid'] ?? 0,
      checks: failed('check'),
      verdicts: failed('verdict'),
      conflicts: failed('merge')['conflict'] ?? 0,
      attempts: failed('attempt'),
      environment: failed('environment'),
    },
    agents: workers(turns, tasks, ({ agent }) => [agent]).map(({ model: _model, ...worker }) => worker),
    models: workers(turns, tasks, ({ agent, model }) => [agent, model]),
    byType: groups(tasks, ({ type }) => type).map(([type, group]) => ({ type, ...group })),
    byComplexity: groups(tasks, ({ complexity }) => complexity).map(([complexity, group]) => ({
      complexity,
      ...group,
    })),
    unreadable: [...unreadable],
  }
}

/** Counts each name, the most frequent first. */
function counted(names: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)))
}

type Turn = RunTally['turns'][number]
type Route = Pick<Turn, 'agent' | 'model'>

function average(turns: readonly Turn[]): number | null {
  const ended = turns.flatMap(({ durationMs }) => durationMs ?? [])
  return ended.length === 0 ? null : Math.round(ended.reduce((total, ms) => total + ms, 0) / ended.length)
}

const usageOf = (turns: readonly Turn[]): Usage =>
  usageView({
    costUsd: turns.reduce((total, { usage }) => total + usage.costUsd, 0),
    inputTokens: turns.reduce((total, { usage }) => total + usage.inputTokens, 0),
    outputTokens: turns.reduce((total, { usage }) => total + usage.outputTokens, 0),
  })

function workers(
  turns: readonly Turn[],
  tasks: readonly TaskTally[],
  keyOf: (route: Route) => readonly (string | null)[],
): Worker[] {
  const attempts = tasks.flatMap((task) => task.attempts)
  const key = (route: Route): string => JSON.stringify(keyOf(route))
  const own = new Map<string, Route>()
  for (const route of [...turns, ...attempts]) if (!own.has(key(route))) own.set(key(route), route)
  return [...own]
    .map(([name, { agent, model }]): Worker => {
      const begun = attempts.filter((attempt) => key(attempt) === name)
      const taken = turns.filter((turn) => key(turn) === name)
      const done = begun.filter((attempt) => attempt.done)
      return {
        agent,
        model,
        attempts: begun.length,
        done: done.length,
        firstTry: done.filter(({ n }) => n === 1).length,
        turns: taken.length,
        averageTurnMs: average(taken),
        usage: usageOf(taken),
      }
    })
    .toSorted((a, b) => b.turns - a.turns || (a.agent < b.agent ? -1 : 1))
}

function groups<K>(tasks: readonly TaskTally[], keyOf: (task: TaskTally) => K): [K, TaskGroup][] {
  const found = new Map<K, TaskGroup>()
  for (const task of tasks) {
    const group = found.get(keyOf(task)) ?? { tasks: 0, done: 0, firstTry: 0, failed: 0, attempts: 0 }
    found.set(keyOf(task), group)
    group.tasks++
    group.attempts += task.attempts.length
    if (task.status === 'done') group.done++
    if (task.status === 'done' && task.attempts.some(({ n, done }) => n === 1 && done)) group.firstTry++
    if (task.status === 'failed') group.failed++
  }
  return [...found].toSorted(([, a], [, b]) => b.tasks - a.tasks)
}
