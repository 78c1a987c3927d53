/** The history of attempts for people, kept after their outcomes are dropped. No decision depends on it. */
import type { Episode } from '../../model/convergence.ts'
import type { Event, Failure } from '../../model/event.ts'
import type { LedgerEntry, PastFailure, RunState, TaskState } from '../../model/state.ts'
import { elapsedMs } from '../../model/elapsed.ts'
import { attemptOf } from '../tasks/racers.ts'

const mostFailures = 5
const mostTests = 20
const mostEpisodes = 20

/** Records the agent and the failing tests of an attempt before the ledger of the task is dropped. */
export function recordAttempt(
  { ledger }: RunState,
  task: TaskState,
  { attempt, failure, tree }: Event<'attempt.failed'>,
): void {
  const agent = attemptOf(task, attempt)?.agent
  const failing = failingTests(Object.values(ledger[task.id] ?? {}), failure)
  const entry: PastFailure = { ...failure, attempt }
  if (agent !== undefined) entry.agent = agent
  if (tree) entry.tree = tree
  if (failing.length > 0) entry.failing = failing
  task.failures = [...task.failures.slice(1 - mostFailures), entry]
}

/** The fingerprint of a check failure consists of the fingerprints of its red checks. */
function failingTests(entries: readonly LedgerEntry[], { kind, fingerprint }: Failure): string[] {
  if (kind !== 'check' || fingerprint === null) return []
  const blamed = new Set(fingerprint.split('+'))
  const names = entries.flatMap(({ outcome }) =>
    outcome.kind === 'check' && outcome.fingerprint !== null && blamed.has(outcome.fingerprint)
      ? (outcome.failing ?? [])
      : [],
  )
  return [...new Set(names)].slice(0, mostTests)
}

/** Starts the task's own time. From here on it runs with the run's clock until the task leaves its attempts. */
export function beginWork(state: RunState, task: TaskState, at: string): void {
  task.begunMs ??= elapsedMs(state, at)
}

/** Time while the run was paused does not count. */
export function endWork(state: RunState, task: TaskState, at: string): void {
  if (task.begunMs === undefined) return
  task.tookMs = (task.tookMs ?? 0) + Math.max(0, elapsedMs(state, at) - task.begunMs)
  delete task.begunMs
}

export function recordEpisode({ convergence }: RunState, episode: Episode): void {
  convergence.history = [...(convergence.history ?? []).slice(1 - mostEpisodes), episode]
}
