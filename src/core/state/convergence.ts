/** How events change what is known about convergence: done tasks, failures, proofs. It draws no conclusions. */
import type { FlakyRuns } from '../../model/convergence.ts'
import type { Event } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { setFields } from '../../model/set-fields.ts'

const mostFailures = 20

/** A done task is progress, so earlier failures no longer count. */
export function recordDone(
  state: RunState,
  task: TaskState,
  { evidence, commit, files, was }: Event<'task.finished'>,
): void {
  const { convergence, landings, wave, met } = state
  convergence.failures = []
  // A recovery after which a task was done has succeeded.
  delete convergence.recoveries.STALLED
  convergence.completed.push(task.id)
  convergence.unaudited = (convergence.unaudited ?? 0) + 1
  delete convergence.accepted
  if (commit === null) return
  landings.push({ task: task.id, commit, wave, met, ...(files ? { files } : {}), ...(was ? { was } : {}) })
  for (const { check, noWorse } of evidence) if (!noWorse) convergence.proofs[check] = landings.length
}

/** A merge conflict says nothing about the quality of the attempt, so it does not count. */
export function recordFailure({ convergence, wave }: RunState, event: Event<'attempt.failed'>): void {
  if (event.failure.kind === 'conflict') return
  const {
    task,
    failure: { kind, fingerprint, summary, cause },
  } = event
  // After an agent error or without a change, the tree is the one before the attempt. It must not count as a return to
  // an earlier result.
  const tree = kind === 'agent' || kind === 'no-change' ? null : (event.tree ?? null)
  convergence.failures = [
    ...convergence.failures,
    { task, fingerprint, ...(cause ? { cause } : {}), summary, wave, tree },
  ].slice(-mostFailures)
}

export function closeWave({ convergence }: RunState, { wave, next = null }: Event<'wave.closed'>): void {
  const { regressed, completed, worse } = convergence
  setFields(convergence, {
    before: { wave, regressed, completed, worse },
    regressed: [],
    completed: [],
    worse: [],
    next,
  })
}

export function recordAudit(state: RunState, { landings, green, red = [], worse = [] }: Event<'branch.audited'>): void {
  const { convergence } = state
  setFields(convergence, { audited: landings, red })
  delete convergence.unaudited
  delete convergence.doubts
  convergence.worse.push(...worse)
  for (const check of green) convergence.proofs[check] = landings
}

/** The affected tasks try another approach. Attempts for it are granted by the ladder, not here. */
export function recover(state: RunState, { from, n, evidence, tasks }: Event<'recovery.begun'>): void {
  state.convergence.recoveries[from] = n
  state.convergence.next = null
  for (const id of tasks) {
    const task = state.tasks[id]
    if (task) task.alternate = { n, why: evidence }
  }
}

/** A person resumed the run, so earlier failures and recoveries no longer count. */
export function beginAnew({ convergence, gate, loop }: RunState): void {
  // The person may have fixed the red checks.
  if (convergence.red.length > 0) {
    convergence.unaudited = (convergence.unaudited ?? 0) + 1
    for (const known of [gate, loop]) if (known) known.checks = []
  }
  if (convergence.accepted) convergence.accepted.rested = true
  const next = convergence.next?.do === 'escalate' ? null : convergence.next
  setFields(convergence, { recoveries: {}, failures: [], before: null, next })
  delete convergence.shown
}

/**
 * A flaky check stays flaky for the rest of the run. The names of its flaky tests accumulate; one flaky result without
 * names makes the whole check flaky.
 */
export function recordFlaky(state: RunState, check: string, { tests, ...mixed }: FlakyRuns, task: string | null): void {
  const known = Object.hasOwn(state.flaky, check) ? state.flaky[check] : undefined
  const { tests: before, ...rest } = known ?? { check, ...mixed, task, tests: [] }
  state.flaky[check] = { ...rest, ...(before && tests ? { tests: [...new Set([...before, ...tests])] } : {}) }
}
