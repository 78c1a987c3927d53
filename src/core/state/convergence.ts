/** How events change what is known of a run's convergence: what is done, what failed, what is proven. Judges nothing. */
import type { FlakyRuns } from '../../model/convergence.ts'
import type { Event } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'

const mostFailures = 20

/** A task is done: that is progress, whatever failed before. */
export function noteDone(
  state: RunState,
  task: TaskState,
  { evidence, commit, files, was }: Event<'task.finished'>,
): void {
  const { convergence, landings, wave, met } = state
  convergence.failures = []
  // A recovery after which something was done has not failed.
  delete convergence.recoveries.STALLED
  convergence.rose.push(task.id)
  convergence.unaudited = (convergence.unaudited ?? 0) + 1
  delete convergence.accepted
  if (commit === null) return
  landings.push({ task: task.id, commit, wave, met, ...(files ? { files } : {}), ...(was ? { was } : {}) })
  for (const { check, noWorse } of evidence) if (!noWorse) convergence.proofs[check] = landings.length
}

/** That others were quicker says nothing about the task. */
export function noteFailure({ convergence, wave }: RunState, event: Event<'attempt.failed'>): void {
  if (event.failure.kind === 'conflict') return
  const {
    task,
    failure: { kind, fingerprint, summary },
  } = event
  // Who came to nothing leaves the tree as it was, and returns to nothing.
  const tree = kind === 'agent' || kind === 'no-change' ? null : (event.tree ?? null)
  convergence.failures = [...convergence.failures, { task, fingerprint, summary, wave, tree }].slice(-mostFailures)
}

export function closeWave({ convergence }: RunState, { wave, next = null }: Event<'wave.closed'>): void {
  const { fell, rose, worse } = convergence
  Object.assign(convergence, { before: { wave, fell, rose, worse }, fell: [], rose: [], worse: [], next })
}

export function noteAudit(state: RunState, { landings, green, red = [], worse = [] }: Event<'branch.audited'>): void {
  const { convergence } = state
  Object.assign(convergence, { audited: landings, red })
  delete convergence.unaudited
  delete convergence.doubts
  convergence.worse.push(...worse)
  for (const check of green) convergence.proofs[check] = landings
}

/** Those concerned go about it another way. The attempts for that are the ladder's to grant. */
export function recover(state: RunState, { from, n, evidence, tasks }: Event<'recovery.begun'>): void {
  state.convergence.recoveries[from] = n
  state.convergence.next = null
  for (const id of tasks) {
    const task = state.tasks[id]
    if (task) task.detour = { n, why: evidence }
  }
}

/** A person looked at it and lets it go on: what was counted until then counts no more. */
export function beginAnew({ convergence, gate, loop }: RunState): void {
  // That person may have fixed what was red.
  if (convergence.red.length > 0) {
    convergence.unaudited = (convergence.unaudited ?? 0) + 1
    for (const known of [gate, loop]) if (known) known.checks = []
  }
  if (convergence.accepted) convergence.accepted.rested = true
  const next = convergence.next?.do === 'escalate' ? null : convergence.next
  Object.assign(convergence, { recoveries: {}, failures: [], before: null, next })
}

/** Found once, it stays so; which of its tests are, adds up, unless it was once more than tests that can be named. */
export function noteFlaky(state: RunState, check: string, { tests, ...mixed }: FlakyRuns, task: string | null): void {
  const known = Object.hasOwn(state.flaky, check) ? state.flaky[check] : undefined
  const { tests: before, ...rest } = known ?? { check, ...mixed, task, tests: [] }
  state.flaky[check] = { ...rest, ...(before && tests ? { tests: [...new Set([...before, ...tests])] } : {}) }
}
